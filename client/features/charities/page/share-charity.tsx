import { Check, Share2 } from 'lucide-react';
import { toast } from 'sonner';
import type { PublicCharity } from '#shared/charities/contract.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { share } from '../../../platform/ui/buttons/share.ts';
import { useCopy } from '../../../platform/ui/buttons/use-copy.ts';

/** Shares the link of a charity's page; copies it where the browser can't share. */
export function ShareCharity({ charity }: { charity: Pick<PublicCharity, 'id' | 'charity_name'> }) {
  const url = `${window.location.origin}/charities/${charity.id}`;
  const { outcome, copy } = useCopy(url);
  const shareOrCopy = () =>
    share
      ? share(url, { title: charity.charity_name })
      : void copy(() => toast(`Your browser won’t let us copy. The link is ${url}.`));
  const isCopied = outcome === 'copied';
  return (
    <Button look="secondary" Icon={isCopied ? Check : Share2} onClick={shareOrCopy}>
      {isCopied ? 'Link copied' : 'Share'}
      <span className="sr-only"> the page of {charity.charity_name}</span>
    </Button>
  );
}
