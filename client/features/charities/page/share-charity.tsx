import { Check, Share2 } from 'lucide-react';
import { toast } from 'sonner';
import type { PublicCharity } from '#shared/charities/contract.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { useCopy } from '../../../platform/ui/buttons/use-copy.ts';

/** Shares the link of a charity's page; copies it where the browser can't share. */
export function ShareCharity({ charity }: { charity: Pick<PublicCharity, 'id' | 'charity_name'> }) {
  const url = `${window.location.origin}/charities/${charity.id}`;
  const { outcome, copy } = useCopy(url);
  async function share() {
    if (!('share' in navigator))
      return copy(() => toast(`Your browser won’t let us copy. The link is ${url}.`));
    // Closing the sheet is no failure.
    await navigator.share({ title: charity.charity_name, url }).catch(() => null);
  }
  const isCopied = outcome === 'copied';
  return (
    <Button look="secondary" Icon={isCopied ? Check : Share2} onClick={() => void share()}>
      {isCopied ? 'Link copied' : 'Share'}
      <span className="sr-only"> the page of {charity.charity_name}</span>
    </Button>
  );
}
