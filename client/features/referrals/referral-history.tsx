import { formatDate } from '#shared/dates.ts';
import type { Referral, ReferralMethod } from '#shared/referrals/contract.ts';
import { EmailText } from '../../platform/ui/layout/email-text.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { useReferralStats } from './use-referrals.ts';

/** Shown instead of an address, which is deleted after an answer or 90 days. */
const BY_METHOD: Record<ReferralMethod, string> = {
  email: 'By email',
  sms: 'By SMS',
  link: 'By your link',
};

/** Returns the status of an invitation. */
function stateOf({ accessed_at, delivery }: Referral): string {
  if (accessed_at) return 'Joined';
  if (delivery === 'waiting') return 'Sending';
  if (delivery === 'failed') return 'Couldn’t be delivered';
  return 'Invited';
}

/** Counts of the user's invitations and the latest ones; nothing without one. */
export function ReferralHistory() {
  const { data: stats, isError } = useReferralStats();
  const counts = [
    ['Invited', stats?.total_referrals],
    ['Joined', stats?.successful_referrals],
    ['By email', stats?.email_referrals],
    ['By SMS', stats?.sms_referrals],
  ] as const;
  const recent = stats?.recent_referrals ?? [];
  // Four zeros say nothing.
  if (stats?.total_referrals === 0 || (!stats && !isError)) return null;
  return (
    <section aria-label="Your invitations" className="border-t border-line pt-4">
      {stats && (
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-2 text-center">
          {counts.map(([name, count]) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-sm text-soft">{name}</dt>
              <dd className="text-xl font-bold tabular-nums">{count}</dd>
            </div>
          ))}
        </dl>
      )}
      {isError && !stats && (
        <p role="status" className="mt-2 text-center text-sm text-soft">
          Your invitations will show up here when you’re online.
        </p>
      )}
      {recent.length > 0 && (
        <details className="mt-2">
          <Summary chevron="before">Latest invitations</Summary>
          <ul className="divide-y divide-line">
            {recent.map((referral) => (
              <li key={referral.id} className="flex items-baseline justify-between gap-3 py-2">
                <span className="min-w-0">
                  <span className="block break-words">
                    <EmailText>
                      {referral.recipient_email ??
                        referral.recipient_phone ??
                        BY_METHOD[referral.referral_method]}
                    </EmailText>
                  </span>
                  <span className="text-sm text-soft">{formatDate(referral.sent_at)}</span>
                </span>
                <span className="shrink-0 text-sm font-bold">{stateOf(referral)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
