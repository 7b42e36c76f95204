import { BUSINESS_TYPE_NAMES, businessType } from '#shared/advertisers/business-types.ts';
import {
  endOfSlot,
  LISTING_DAYS,
  LISTING_REVIEW_DAYS,
  SLOT_HOURS,
} from '#shared/advertisers/rules.ts';
import { formatDateTimeInZone, formatHours } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { useObjectUrl } from '../../../platform/ui/inputs/use-object-url.ts';
import { DetailsList } from '../../../platform/ui/layout/details-list.tsx';
import { PLACEMENT_NAMES } from '../../ads/placement-labels.ts';
import { PayPanel } from '../pay-panel.tsx';
import { ReachEstimate } from '../reach-estimate.tsx';
import type { Draft } from './draft.ts';

/** The payment step. */
export function PaymentStep({
  draft: { ad, advertiser_id, isSent, local, timed },
  change,
  image,
  onBack,
}: {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  image: Blob | null | undefined;
  onBack: () => void;
}) {
  const imageUrl = useObjectUrl(image ?? null);
  if (!ad || !advertiser_id) return null;
  const start = ad.start === null ? null : new Date(ad.start);
  const kind = start
    ? PLACEMENT_NAMES[timed.placement]
    : BUSINESS_TYPE_NAMES[businessType.catch('other').parse(local.business_type)];
  const rows = start
    ? ([
        ['Link', timed.target_url],
        ['Ends', formatDateTimeInZone(endOfSlot(start, SLOT_HOURS))],
        ['Runs for', formatHours(SLOT_HOURS)],
      ] as const)
    : ([
        ...(local.website_url ? [['Link', local.website_url] as const] : []),
        ['Runs for', `${LISTING_DAYS} days from your payment`],
        ['Shown within', `${local.search_radius_miles} miles`],
      ] as const);
  return (
    <div className="flex flex-col gap-5">
      {/* What is bought, its price and the button are in view together. */}
      <section
        aria-label="What you pay for"
        className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 shadow-lift"
      >
        <div className="flex items-center gap-3">
          {imageUrl && (
            <img
              src={imageUrl}
              alt=""
              className="size-16 shrink-0 rounded-control border border-line object-cover"
            />
          )}
          <div className="min-w-0 flex-1">
            <h2 className="line-clamp-2 text-lg leading-snug font-bold break-words">{ad.title}</h2>
            <p className="text-sm text-soft">
              {start ? `${kind}, ${formatDateTimeInZone(start)}` : kind}
            </p>
          </div>
        </div>
        <p className="flex justify-between gap-4 border-t border-line pt-2 text-lg font-bold">
          <span>Total</span>
          <span className="tabular-nums">{dollars(ad.cost_cents)}</span>
        </p>
      </section>
      <PayPanel
        key={ad.id}
        cents={ad.cost_cents}
        ad={{ advertiser_id, advertisement_id: ad.id, period: 0 }}
        isSent={isSent}
        storeSent={(sent) => change({ isSent: sent })}
        onPaid={() => change({ isPaid: true })}
        onTimeTaken={onBack}
      />
      {start && (
        <p className="text-sm text-soft">
          The slot is yours once you pay. If someone else pays for it first, you won’t be charged.
          Until it starts, you can cancel for a full refund.
        </p>
      )}
      {ad.review === 'before' && (
        <p className="text-sm text-soft">
          We’ll review your ad before it goes live. If we can’t approve it{' '}
          {start ? 'before its start' : `within ${LISTING_REVIEW_DAYS} days`}, you’ll get a full
          refund.
        </p>
      )}
      <DetailsList rows={rows} className="gap-x-4 gap-y-1.5" valueClassName="wrap-anywhere" />
      <ReachEstimate
        ad={
          start
            ? {
                kind: 'timed',
                placement: timed.placement,
                scheduled_start_at: start.toISOString(),
              }
            : { kind: 'local' }
        }
      />
      {!isSent && (
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      )}
    </div>
  );
}
