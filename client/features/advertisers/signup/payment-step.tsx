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
import { Card } from '../../../platform/ui/layout/card.tsx';
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
  const rows = start
    ? ([
        ['Placement', PLACEMENT_NAMES[timed.placement]],
        ['Link', timed.target_url],
        ['Starts', formatDateTimeInZone(start)],
        ['Ends', formatDateTimeInZone(endOfSlot(start, SLOT_HOURS))],
        ['Runs for', formatHours(SLOT_HOURS)],
      ] as const)
    : ([
        ['Type', BUSINESS_TYPE_NAMES[businessType.catch('other').parse(local.business_type)]],
        ...(local.website_url ? [['Link', local.website_url] as const] : []),
        ['Runs for', `${LISTING_DAYS} days from your payment`],
        ['Shown within', `${local.search_radius_miles} miles`],
      ] as const);
  return (
    <div className="flex flex-col gap-5">
      <Card title={ad.title}>
        {imageUrl && (
          <img
            src={imageUrl}
            alt={ad.title}
            className="mb-3 max-h-40 rounded-control border border-line object-contain"
          />
        )}
        <DetailsList
          rows={rows}
          className="gap-x-4 gap-y-1.5"
          valueClassName="text-right wrap-anywhere"
        >
          <div className="col-span-2 flex justify-between gap-4 border-t border-line pt-2 text-lg font-bold">
            <dt>Total</dt>
            <dd className="tabular-nums">{dollars(ad.cost_cents)}</dd>
          </div>
        </DetailsList>
      </Card>
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
      <PayPanel
        key={ad.id}
        cents={ad.cost_cents}
        ad={{ advertiser_id, advertisement_id: ad.id, period: 0 }}
        isSent={isSent}
        storeSent={(sent) => change({ isSent: sent })}
        onPaid={() => change({ isPaid: true })}
        onTimeTaken={onBack}
      />
      {!isSent && (
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      )}
    </div>
  );
}
