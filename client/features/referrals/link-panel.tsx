import { Check, ChevronDown, Copy, Share2 } from 'lucide-react';
import { useRef } from 'react';
import { referralLink } from '#shared/referrals/rules.ts';
import { PRODUCT } from '../../platform/product.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { useCopy } from '../../platform/ui/buttons/use-copy.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { InvitationLink } from '../invitations/invitation-link.tsx';
import { refreshReferralStats } from './use-referrals.ts';

/**
 * The user's referral link, to copy or share.
 * @param hasCodes whether the user can make links that carry a code, which come first
 */
export function LinkPanel({
  accessCode,
  hasCodes,
}: {
  accessCode: string | null;
  hasCodes: boolean;
}) {
  const user = useUser();
  const field = useRef<HTMLInputElement>(null);
  const link = user ? referralLink(location.origin, user.id) : '';
  const { outcome, copy } = useCopy(link);
  const isCopied = outcome === 'copied';

  async function share() {
    const code = accessCode ? ` The access code is ${accessCode}.` : '';
    const text = `Walk with me on ${PRODUCT}.${code}`;
    // Closing the share sheet isn't an error.
    await navigator.share({ title: PRODUCT, text, url: link }).catch(() => null);
  }

  return (
    <div className="flex flex-col gap-4">
      <section aria-label="A link for one friend" className="flex flex-col gap-3">
        <h3 className="font-bold">A link for one friend</h3>
        <InvitationLink onMade={() => void refreshReferralStats()} />
      </section>
      <details open={!hasCodes} className="group border-t border-line pt-2">
        <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 font-bold">
          Your own link, without a code
          <ChevronDown aria-hidden className="size-5 shrink-0 text-soft group-open:rotate-180" />
        </summary>
        <div className="flex flex-col gap-4 pt-1">
          <Field
            ref={field}
            label="Your link"
            value={link}
            readOnly
            onFocus={(event) => event.target.select()}
            hint="Anyone who joins through it counts as invited by you. They need an access code."
          />
          {accessCode && (
            <p>
              Your friends can use the access code <strong>{accessCode}</strong>.
            </p>
          )}
          <div className="flex flex-col gap-2 sm:flex-row">
            <Button
              wide
              look={hasCodes ? 'secondary' : 'primary'}
              // Not allowed: selects the link to be copied manually.
              onClick={() => void copy(() => field.current?.select())}
              Icon={isCopied ? Check : Copy}
            >
              {isCopied ? 'Copied!' : 'Copy link'}
            </Button>
            {'share' in navigator && (
              <Button look="secondary" wide onClick={() => void share()} Icon={Share2}>
                Share…
              </Button>
            )}
          </div>
          <p role="status" className="text-sm text-soft empty:hidden">
            {isCopied && <span className="sr-only">Link copied</span>}
            {outcome === 'failed' && (
              <span>
                Your browser won’t let us copy. The link is selected, so you can copy it yourself.
              </span>
            )}
          </p>
        </div>
      </details>
    </div>
  );
}
