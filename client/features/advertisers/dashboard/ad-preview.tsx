import type { Listing, TimedAd } from '#shared/advertisers/dashboard-contract.ts';
import { AD_FRAME, AdFace } from '../../ads/ad-content.tsx';
import { SLOT_HEIGHTS } from '../../ads/slot-props.ts';
import { BusinessFace, businessFrame } from '../../locations/search/business-face.tsx';
import { isTimed } from '../ad-billing.ts';

/** An ad, drawn by the same components as for owners. */
export function AdPreview({ ad }: { ad: TimedAd | Listing }) {
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
