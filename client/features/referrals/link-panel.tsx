import { referralLink } from '#shared/referrals/rules.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { LinkField } from '../../platform/ui/inputs/link-field.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { InvitationLink } from '../invitations/invitation-link.tsx';
import { INVITATION_TEXT } from '../invitations/share-invitation.ts';
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
  const link = user ? referralLink(location.origin, user.id) : '';

  return (
    <div className="flex flex-col gap-4">
      <section aria-label="A link for one friend" className="flex flex-col gap-3">
        <h3 className="font-bold">A link for one friend</h3>
        <InvitationLink onMade={() => void refreshReferralStats()} />
      </section>
      <details open={!hasCodes} className="border-t border-line pt-2">
        <Summary chevron="end">Your own link, without a code</Summary>
        <div className="flex flex-col gap-4 pt-1">
          {accessCode && (
            <p>
              Your friends can use the access code <strong>{accessCode}</strong>.
            </p>
          )}
          <LinkField
            label="Your link"
            link={link}
            hint="Anyone who joins through it counts as invited by you. They need an access code."
            text={`${INVITATION_TEXT}${accessCode ? ` The access code is ${accessCode}.` : ''}`}
            isMain={!hasCodes}
          />
        </div>
      </details>
    </div>
  );
}
