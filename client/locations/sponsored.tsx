import { ExternalLink, Phone, Stethoscope, Store } from 'lucide-react';
import { useCallback, useRef } from 'react';
import {
  BUSINESS_TYPE_NAMES,
  telLink,
  type SponsoredBusiness,
} from '#shared/advertisers/business-types.ts';
import { reportSeen, untilSeen } from '../ads/reports.ts';
import { useSeen } from '../ads/use-seen.ts';
import { sendLater } from '../sync/outbox.ts';
import { useDocuments } from '../sync/use-document.ts';

/** Businesses that pay to be seen around here. */
export function Sponsored({
  businesses,
  isNarrow,
}: {
  businesses: readonly SponsoredBusiness[];
  /** Whether there is something beside them. */
  isNarrow: boolean;
}) {
  if (businesses.length === 0) return null;
  return (
    <section aria-labelledby="sponsored" className="flex flex-col gap-3">
      <h2 id="sponsored" className="text-lg font-bold">
        Sponsored businesses
      </h2>
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

const LINK =
  'inline-flex min-h-11 flex-1 items-center justify-center gap-2 rounded-control border border-line-strong bg-surface px-3 font-bold hover:bg-sunken';

function BusinessCard({ business, isNarrow }: { business: SponsoredBusiness; isNarrow: boolean }) {
  const { business_name, business_type, description, address, phone, website_url } = business;
  const card = useRef<HTMLLIElement>(null);
  const documents = useDocuments();
  useSeen(
    card,
    useCallback(() => reportSeen(business), [business]),
  );

  /** @param target what was pressed leads there */
  async function record(target: string) {
    await untilSeen(business);
    const { id: ad_id, view_id } = business;
    const body = { ad_id, ad_title: business_name, ad_url: target, view_id };
    if (documents) await sendLater(documents, 'ads.click', { body });
  }
  const clicked = (target: string) => () =>
    void record(target).catch((error: unknown) => console.warn('Not recorded', error));

  const isPetCare = business_type === 'veterinary';
  const Icon = isPetCare ? Stethoscope : Store;
  return (
    <li
      ref={card}
      className={`flex w-[85%] shrink-0 snap-start flex-col gap-3 rounded-card border p-4 shadow-lift only:w-full ${isNarrow ? 'md:w-72' : 'md:w-auto'} ${isPetCare ? 'border-accent bg-accent-soft' : 'border-line bg-surface'}`}
    >
      <div className="flex items-start gap-3">
        {business.image_url ? (
          <img
            src={business.image_url}
            alt=""
            loading="lazy"
            className="size-14 shrink-0 rounded-control bg-sunken object-cover"
          />
        ) : (
          <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-sunken text-accent">
            <Icon aria-hidden className="size-6" />
          </span>
        )}
        <div className="min-w-0 flex-1">
          <p className="flex items-center justify-between gap-2 text-sm text-soft">
            <span className={isPetCare ? 'font-bold whitespace-nowrap text-accent' : ''}>
              {isPetCare ? 'Pet Care' : BUSINESS_TYPE_NAMES[business_type]}
            </span>
            <span>Sponsored</span>
          </p>
          <h3 className="leading-snug font-bold break-words">{business_name}</h3>
          <p className="text-sm text-soft">{business.distance_miles.toFixed(1)} miles</p>
        </div>
      </div>
      <p className="line-clamp-3 break-words">{description}</p>
      {address && <p className="text-sm break-words text-soft">{address}</p>}
      {(phone || website_url) && (
        <div className="mt-auto flex gap-2">
          {phone && (
            <a
              href={telLink(phone)}
              aria-label={`Call ${business_name}`}
              onClick={clicked(telLink(phone))}
              className={LINK}
            >
              <Phone aria-hidden className="size-5 shrink-0" />
              Call
            </a>
          )}
          {website_url && (
            <a
              href={business.website_url ?? ''}
              target="_blank"
              rel="noopener sponsored"
              aria-label={`Visit ${business_name}, opens in a new tab`}
              onClick={clicked(website_url)}
              onAuxClick={({ button }) => button === 1 && clicked(website_url)()}
              className={LINK}
            >
              <ExternalLink aria-hidden className="size-5 shrink-0" />
              Visit
            </a>
          )}
        </div>
      )}
    </li>
  );
}
