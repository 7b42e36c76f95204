import {
  ChevronRight,
  CircleDollarSign,
  ClipboardCheck,
  EyeOff,
  Flag,
  Gavel,
  HandCoins,
  HandHeart,
  MailX,
  MapPin,
  Scale,
  type LucideIcon,
} from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDateTimeInZone } from '#shared/dates.ts';
import type { WaitingKind, WaitingRows } from '#shared/overview/contract.ts';
import { WAITING_LISTS } from '#shared/overview/waiting-lists.ts';
import { ageWords, numberWords } from '../../platform/admin/format.ts';
import { useNow } from '../../platform/use-now.ts';

const KINDS: Record<WaitingKind, { name: string; Icon: LucideIcon }> = {
  reports: {
    name: 'Reports to decide',
    Icon: Flag,
  },
  held_messages: {
    name: 'Messages to review',
    Icon: EyeOff,
  },
  appeals: {
    name: 'Appeals to answer',
    Icon: Scale,
  },
  law_enforcement_notices: {
    name: 'Law enforcement notices to send',
    Icon: Gavel,
  },
  ad_reviews: {
    name: 'Ads to review',
    Icon: ClipboardCheck,
  },
  charity_applications: {
    name: 'Charity applications and suggestions',
    Icon: HandHeart,
  },
  place_reports: {
    name: 'Places with reports',
    Icon: MapPin,
  },
  donations_in_doubt: {
    name: 'Donations without a result',
    Icon: HandCoins,
  },
  ad_payments_in_doubt: {
    name: 'Ad payments without a result',
    Icon: CircleDollarSign,
  },
  failed_messages: {
    name: 'Emails and texts that failed in the last 7 days',
    Icon: MailX,
  },
};

/** What waits for an admin, each with a link to its list. */
export function WaitingList({ waiting }: { waiting: readonly WaitingRows[] }) {
  const now = useNow();
  const due = waiting.filter(({ count }) => count > 0);
  if (due.length === 0)
    return (
      <p role="status" className="text-soft">
        Nothing is waiting
      </p>
    );
  return (
    <ul aria-label="Waiting for you" className="divide-y divide-line">
      {due.map(({ kind, count, is_capped, oldest_at }) => {
        const { name, Icon } = KINDS[kind];
        return (
          <li key={kind}>
            <Link
              to={`/admin?${WAITING_LISTS[kind]}`}
              className="flex min-h-12 items-center gap-3 rounded-control py-2 hover:bg-sunken"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-accent" />
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
                <span className="min-w-0 font-bold break-words">{name}</span>
                {oldest_at && (
                  <span className="text-sm text-soft" title={formatDateTimeInZone(oldest_at)}>
                    Oldest: {ageWords(now - Date.parse(oldest_at))} ago
                  </span>
                )}
              </span>
              <span className="text-xl font-bold tabular-nums">
                {numberWords(count)}
                {is_capped && <span>{'+'}</span>}
              </span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
