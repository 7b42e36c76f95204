import { ExternalLink, Phone, Stethoscope, Store } from 'lucide-react';
import {
  BUSINESS_TYPE_NAMES,
  telLink,
  type BusinessType,
  type SponsoredBusiness,
} from '#shared/advertisers/business-types.ts';

const isPetCare = (type: BusinessType) => type === 'veterinary';

/** Returns the classes of the frame around a sponsored business. */
export const businessFrame = ({ business_type }: Pick<SponsoredBusiness, 'business_type'>) =>
  `flex flex-col gap-3 rounded-card border p-4 shadow-lift ${isPetCare(business_type) ? 'border-accent bg-accent-soft' : 'border-line bg-surface'}`;

const LINK =
  'inline-flex min-h-11 flex-1 items-center justify-center gap-2 rounded-control border border-line-strong bg-surface px-3 font-bold hover:bg-sunken';

/** A sponsored business as members see it; without a distance in previews. It needs no documents: advertisers have none. */
export function BusinessFace({
  business: { business_name, business_type, description, address, phone, website_url, image_url },
  distance,
  Heading = 'h3',
  onPress,
}: {
  business: Omit<SponsoredBusiness, 'id' | 'view_id' | 'distance_miles'>;
  /** In the reader's units. */
  distance?: string;
  /** Of the level below the section around it. */
  Heading?: 'h2' | 'h3' | 'h4';
  /** Called with the target of a pressed link. */
  onPress?: (target: string) => void;
}) {
  const pressed = (target: string) => () => onPress?.(target);
  const isCare = isPetCare(business_type);
  const Icon = isCare ? Stethoscope : Store;
  return (
    <>
      <div className="flex items-start gap-3">
        {image_url ? (
          <img
            src={image_url}
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
            <span className={isCare ? 'font-bold whitespace-nowrap text-accent' : ''}>
              {isCare ? 'Pet Care' : BUSINESS_TYPE_NAMES[business_type]}
            </span>
            <span>Sponsored</span>
          </p>
          <Heading className="leading-snug font-bold break-words">{business_name}</Heading>
          {distance && <p className="text-sm text-soft">{distance}</p>}
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
              onClick={pressed(telLink(phone))}
              className={LINK}
            >
              <Phone aria-hidden className="size-5 shrink-0" />
              Call
            </a>
          )}
          {website_url && (
            <a
              href={website_url}
              target="_blank"
              rel="noopener noreferrer sponsored"
              aria-label={`Visit ${business_name}, opens in a new tab`}
              onClick={pressed(website_url)}
              onAuxClick={({ button }) => button === 1 && pressed(website_url)()}
              className={LINK}
            >
              <ExternalLink aria-hidden className="size-5 shrink-0" />
              Visit
            </a>
          )}
        </div>
      )}
    </>
  );
}
