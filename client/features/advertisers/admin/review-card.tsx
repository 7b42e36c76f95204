import { Check, Flag, X } from 'lucide-react';
import { BUSINESS_TYPE_NAMES } from '#shared/advertisers/business-types.ts';
import type { ReviewItem } from '#shared/advertisers/review-contract.ts';
import { formatDateTimeInZone } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { Pill } from '../../../platform/admin/pill.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { DetailsList } from '../../../platform/ui/layout/details-list.tsx';
import { EmailText } from '../../../platform/ui/layout/email-text.tsx';
import { PLACEMENT_NAMES } from '../../ads/placement-labels.ts';
import { StatusPill } from '../status-pill.tsx';
import { nameOf } from './admin-actions.ts';
import { ReviewVersions } from './review-versions.tsx';

const when = (time: string) => formatDateTimeInZone(time);

/** An ad, or a change of an ad, that needs review. */
export function ReviewCard({
  item,
  onApprove,
  onRefuse,
}: {
  item: ReviewItem;
  onApprove: () => void;
  onRefuse: () => void;
}) {
  const { ad, before, email, is_flagged: isFlagged, is_pending_approval: isPendingApproval } = item;
  const name = nameOf(ad);
  return (
    <article
      aria-label={name}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0">
          <h2 className="text-lg font-bold break-words">{name}</h2>
          <p className="text-sm break-words text-soft">
            <span>{ad.company_name || 'Deleted'}</span>
            {email && <EmailText>{`, ${email}`}</EmailText>}
          </p>
        </div>
        <p className="flex flex-wrap gap-1.5">
          <Pill>{before ? 'Change' : 'New ad'}</Pill>
          {/* A new listing that waits for its approval is stored as paused. */}
          <StatusPill
            status={ad.status === 'paused' && isPendingApproval && !before ? 'review' : ad.status}
          />
        </p>
      </div>
      {isFlagged && (
        <p className="flex items-start gap-2 rounded-control border-2 border-ink p-3 font-bold">
          <Flag aria-hidden className="mt-0.5 size-5 shrink-0" />
          The moderation rules flagged its text.
        </p>
      )}
      <ReviewVersions item={item} />
      <DetailsList rows={rowsOf(item)} />
      <p className="text-sm text-soft">
        {isPendingApproval ? heldText(item) : SHOWN_TEXTS[ad.status]}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onApprove} Icon={Check}>
          Approve<span className="sr-only"> {name}</span>
        </Button>
        <Button look="secondary" onClick={onRefuse} Icon={X}>
          Reject<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </article>
  );
}

/** Says whether an ad that isn't held is shown. */
const SHOWN_TEXTS: Partial<Record<ReviewItem['ad']['status'], string>> = {
  active: 'It’s live now.',
  scheduled: 'It goes live when it starts.',
  paused: 'The advertiser paused it, so it isn’t shown now.',
  completed: 'It has ended, so it’s no longer shown.',
  expired: 'It has ended, so it’s no longer shown.',
};

const heldText = ({ before, due_at }: ReviewItem) =>
  before
    ? 'People see the earlier version until you approve this one.'
    : `It isn’t shown until you approve it. If no one approves it by ${when(due_at)}, it’s refunded.`;

function rowsOf(item: ReviewItem): [string, string][] {
  const submitted: [string, string] = ['Submitted', when(item.submitted_at)];
  if (item.kind === 'timed') {
    const { placement, scheduled_start_at, scheduled_end_at, cost_cents } = item.ad;
    return [
      ['Placement', PLACEMENT_NAMES[placement]],
      ['Starts', when(scheduled_start_at)],
      ['Ends', when(scheduled_end_at)],
      ['Price', dollars(cost_cents)],
      submitted,
    ];
  }
  const { business_type, search_radius_miles, subscription_end_date, monthly_cost_cents } = item.ad;
  return [
    ['Business', BUSINESS_TYPE_NAMES[business_type]],
    ['Shown within', `${search_radius_miles} miles`],
    // The paid month of a held ad starts with its approval.
    ...(subscription_end_date && (!item.is_pending_approval || item.before)
      ? [['Paid until', when(subscription_end_date)] as [string, string]]
      : []),
    ['Price', `${dollars(monthly_cost_cents)} a month`],
    submitted,
  ];
}
