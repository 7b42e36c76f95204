import { Check, Link2 } from 'lucide-react';
import { toast } from 'sonner';
import { friendLinkUrl } from '#shared/friend-links/contract.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { share } from '../../platform/ui/buttons/share.ts';
import { useCopy } from '../../platform/ui/buttons/use-copy.ts';
import { useFriendLink } from './use-friend-link.ts';

/** Sends the user's friend link; copies it where the device has no share sheet. */
export function LinkButton() {
  const { data } = useFriendLink();
  const url = data ? friendLinkUrl(location.origin, data.friend_link) : '';
  const { outcome, copy } = useCopy(url);
  const send = () =>
    share
      ? share(url)
      : void copy(() =>
          toast.error('Your browser won’t let us copy. You’ll find the link under My QR code.'),
        );
  const isCopied = outcome === 'copied';
  return (
    <Button
      look="secondary"
      onClick={send}
      disabled={!data}
      Icon={isCopied ? Check : Link2}
      className="max-sm:w-full"
    >
      <span role="status">
        {isCopied ? 'Link copied!' : share ? 'Send my link' : 'Copy my link'}
      </span>
    </Button>
  );
}
