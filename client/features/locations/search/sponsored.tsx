import { useCallback, useRef } from 'react';
import type { SponsoredBusiness } from '#shared/advertisers/business-types.ts';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../../platform/sync/outbox/outbox.ts';
import { reportSeen, untilSeen } from '../../ads/reports.ts';
import { useViewable } from '../../ads/use-viewable.ts';
import { useUnits } from '../../settings/use-units.ts';
import { BusinessFace, businessFrame } from './business-face.tsx';

/** Sponsored businesses near the search position, an item of the list of places. */
export function Sponsored({
  businesses,
  isNarrow,
}: {
  businesses: readonly SponsoredBusiness[];
  /** Whether the map is shown next to them. */
  isNarrow: boolean;
}) {
  return (
    <section aria-labelledby="sponsored" className="flex flex-col gap-2">
      <h3 id="sponsored" className="font-bold">
        Sponsored businesses
      </h3>
      <ul
        className={`-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-1 sm:-mx-6 sm:scroll-px-6 sm:px-6 md:mx-0 md:scroll-px-0 md:px-0 ${isNarrow ? '' : 'md:grid md:grid-cols-2 md:overflow-visible'}`}
      >
        {businesses.map((business) => (
          <BusinessCard key={business.view_id} business={business} isNarrow={isNarrow} />
        ))}
      </ul>
    </section>
  );
}

function BusinessCard({ business, isNarrow }: { business: SponsoredBusiness; isNarrow: boolean }) {
  const { business_name } = business;
  const card = useRef<HTMLLIElement>(null);
  const documents = useDocuments();
  const units = useUnits();
  useViewable(
    card,
    useCallback(() => reportSeen(business), [business]),
  );

  /** @param target of the pressed link */
  async function record(target: string) {
    await untilSeen(business);
    const { id: ad_id, view_id } = business;
    const body = { ad_id, ad_title: business_name, ad_url: target, view_id };
    if (documents) await sendLater(documents, 'ads.click', { body });
  }

  return (
    <li
      ref={card}
      className={`${businessFrame(business)} w-[85%] shrink-0 snap-start only:w-full ${isNarrow ? 'md:w-72' : 'md:w-auto'}`}
    >
      <BusinessFace
        business={business}
        distance={units.far(business.distance_miles)}
        Heading="h4"
        onPress={(target) =>
          void record(target).catch((error: unknown) => console.warn('Not recorded', error))
        }
      />
    </li>
  );
}
