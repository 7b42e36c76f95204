import { ExternalLink, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { BUSINESS_TYPE_NAMES } from '#shared/advertisers/business-types.ts';
import type { Listing, TimedAd } from '#shared/advertisers/dashboard-contract.ts';
import { formatDateTimeInZone } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Switch } from '../../../platform/ui/inputs/switch.tsx';
import { DetailsList } from '../../../platform/ui/layout/details-list.tsx';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { AD_FRAME, AdFace } from '../../ads/ad-content.tsx';
import { PLACEMENT_NAMES } from '../../ads/placement-labels.ts';
import { SLOT_HEIGHTS } from '../../ads/slot-props.ts';
import { BusinessFace, businessFrame } from '../../locations/search/business-face.tsx';
import { centsOf, isAhead, isPayable, isTimed, isUnpaid } from '../ad-billing.ts';
import { PLACEMENT_HINTS } from '../labels.ts';
import { StatusPill } from '../status-pill.tsx';
import { AdDays, AdStats } from './ad-stats.tsx';
import { isAwaitingReview, isRefused, ReviewNotice } from './review-notice.tsx';

type Ad = TimedAd | Listing;
const when = (time: string) => formatDateTimeInZone(time);

/** An ad with its stats and actions, as its advertiser sees it. */
export function AdCard({
  ad,
  onEdit,
  onCancel,
  onPay,
  onPause,
  children,
}: {
  ad: Ad;
  onEdit: (ad: Ad) => void;
  onCancel: (ad: Ad) => void;
  onPay: (ad: Ad) => void;
  onPause: (listing: Listing, paused: boolean) => Promise<void>;
  /** Shown at the bottom of the card. */
  children?: ReactNode;
}) {
  const name = isTimed(ad) ? ad.title : ad.business_name;
  const target = isTimed(ad) ? ad.target_url : ad.website_url;
  const now = useNow();
  const canChange = isAhead(ad, now);
  // Before, there is nothing to count.
  const hasBegun = !canChange || ad.impressions > 0;
  const isListed = !isTimed(ad) && ['active', 'paused', 'expired'].includes(ad.status);
  return (
    <article
      aria-label={name}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5"
    >
      <div className="flex gap-4">
        {ad.image_url && (
          <img
            src={ad.image_url}
            alt=""
            width={80}
            height={80}
            loading="lazy"
            className="size-20 shrink-0 rounded-control bg-sunken object-cover"
          />
        )}
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <h2 className="min-w-0 text-lg font-bold break-words">{name}</h2>
            <StatusPill status={isHeld(ad) ? 'review' : ad.status} />
          </div>
          <p className="text-sm break-words text-soft">{ad.description}</p>
        </div>
      </div>
      <details>
        <Summary>
          Preview<span className="sr-only"> of {name}</span>
        </Summary>
        <AdPreview ad={ad} />
      </details>
      <ReviewNotice ad={ad} />
      {ad.taken_down_at && !isRefused(ad) && (
        <p className="rounded-control border-2 border-ink p-3 break-words">
          <strong className="block">An administrator took this ad down, so it isn’t shown</strong>
          {ad.taken_down_reason}
        </p>
      )}
      <DetailsList
        rows={[
          ...(isTimed(ad) ? timedRows(ad) : listingRows(ad)),
          ...(hasBegun || ad.spent_cents === 0 ? [] : [['Paid', dollars(ad.spent_cents)] as const]),
        ]}
      />
      {hasBegun && (
        <AdStats
          label={`Stats for ${name}`}
          impressions={ad.impressions}
          clicks={ad.clicks}
          cents={ad.spent_cents}
        />
      )}
      <AdDays name={name} days={ad.days} />
      {!isTimed(ad) && hasBegun && (
        <p className="text-sm text-soft">
          Counted once a day and in tens, so that no one’s visit shows.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3 empty:hidden">
        {(canChange || isListed) && (
          <Button look="secondary" onClick={() => onEdit(ad)} Icon={Pencil}>
            Edit
          </Button>
        )}
        {canChange && (
          <Button look="quiet" className="px-2!" onClick={() => onCancel(ad)}>
            Cancel ad
          </Button>
        )}
        {isPayable(ad) && (canChange || !isTimed(ad)) && !isAwaitingReview(ad) && (
          <Button look={isUnpaid(ad) ? 'primary' : 'secondary'} onClick={() => onPay(ad)}>
            {isUnpaid(ad) ? 'Pay' : 'Renew for'} {dollars(centsOf(ad))}
          </Button>
        )}
        {!isTimed(ad) &&
          !ad.taken_down_at &&
          !isAwaitingReview(ad) &&
          (ad.status === 'active' || ad.status === 'paused') && (
            <span className="flex items-center gap-2 font-bold">
              Visible{' '}
              <Switch
                label={`Show ${name}`}
                checked={ad.status === 'active'}
                onChange={(shown) => void onPause(ad, !shown)}
              />
            </span>
          )}
        {target && (
          <a
            href={target}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-11 items-center gap-1.5 font-bold text-accent underline-offset-4 hover:underline sm:ml-auto"
          >
            <ExternalLink aria-hidden className="size-4 shrink-0" />
            Open link
            <span className="sr-only"> of {name}, opens in a new tab</span>
          </a>
        )}
      </div>
      {children}
    </article>
  );
}

/** A listing that waits for its approval is stored as paused. */
const isHeld = (ad: Ad): boolean => ad.status === 'paused' && isAwaitingReview(ad);

const timedRows = (ad: TimedAd): [string, string][] => [
  ['Placement', PLACEMENT_NAMES[ad.placement]],
  ['Where', PLACEMENT_HINTS[ad.placement]],
  ['Starts', when(ad.scheduled_start_at)],
  ['Ends', when(ad.scheduled_end_at)],
];

const listingRows = (ad: Listing): [string, string][] => [
  ['Business', BUSINESS_TYPE_NAMES[ad.business_type]],
  ...(ad.address ? [['Address', ad.address] as [string, string]] : []),
  ['Where', `To owners who look for places within ${ad.search_radius_miles} miles of you`],
  // The paid month of a held ad starts with its approval; a canceled one has none.
  ...(ad.subscription_end_date && !isAwaitingReview(ad) && ad.status !== 'cancelled'
    ? [['Paid until', when(ad.subscription_end_date)] as [string, string]]
    : []),
];

/** An ad, drawn by the same components as for owners. */
function AdPreview({ ad }: { ad: TimedAd | Listing }) {
  if (isTimed(ad))
    return (
      <div className={`w-full max-w-82 ${SLOT_HEIGHTS[ad.placement]}`}>
        <div className={AD_FRAME}>
          <AdFace {...ad} />
        </div>
      </div>
    );
  const { business_type } = ad;
  return (
    <div className={`w-full max-w-82 ${businessFrame({ business_type })}`}>
      <BusinessFace business={ad} />
    </div>
  );
}
