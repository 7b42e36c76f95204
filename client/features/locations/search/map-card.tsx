import { ChevronRight, Phone, X, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Place } from '#shared/place.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { OsmAttribution } from '../../geocoder/osm-attribution.tsx';
import { DirectionsLink } from './directions-link.tsx';

/** What was tapped on the map, at its bottom, so that the map stays where it is. */
export function MapCard({
  name,
  detail,
  Icon,
  to,
  phone = null,
  isOsm = false,
  onDetails,
  onClose,
  picture,
  children,
}: {
  name: string;
  /** A line below the name. */
  detail: string;
  Icon: LucideIcon;
  /** Where directions lead. */
  to: Place;
  /** Left out where the card says all. */
  onDetails?: () => void;
  /** A number to call. */
  phone?: string | null;
  /** Whether it is from OpenStreetMap, which is named then. */
  isOsm?: boolean;
  onClose: () => void;
  /** Instead of the icon. */
  picture?: ReactNode;
  /** What one can do there, instead of directions alone. */
  children?: ReactNode;
}) {
  const about = (
    <span className="min-w-0 flex-1 leading-snug">
      <strong className="line-clamp-1 break-all">{name}</strong>
      <span className="line-clamp-2 text-sm text-soft">{detail}</span>
    </span>
  );
  const title = 'flex min-h-11 min-w-0 flex-1 items-center gap-2.5 text-left';
  const icon = picture ?? <Icon aria-hidden className="size-6 shrink-0 text-accent" />;
  return (
    <section
      aria-label={`On the map: ${name}`}
      className="flex flex-col gap-2 rounded-card border border-line bg-surface p-2.5 shadow-lift"
    >
      <div className="flex items-center gap-1">
        {onDetails ? (
          <button
            type="button"
            onClick={onDetails}
            className={`rounded-control hover:bg-sunken ${title}`}
          >
            {icon}
            {about}
            <span className="sr-only">, details</span>
            <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
          </button>
        ) : (
          <p className={title}>
            {icon}
            {about}
          </p>
        )}
        <IconButton Icon={X} label="Close" onClick={onClose} className="-my-1 -mr-1" />
      </div>
      {children ?? (
        <div className="flex gap-2">
          {phone !== null && (
            <a
              href={`tel:${phone}`}
              className="inline-flex min-h-11 flex-1 items-center justify-center gap-2 rounded-control border border-line-strong px-2 font-bold"
            >
              <Phone aria-hidden className="size-5 shrink-0" />
              Call<span className="sr-only"> {name}</span>
            </a>
          )}
          <DirectionsLink to={{ ...to, name }} className="min-h-11 flex-1 px-2" />
        </div>
      )}
      {isOsm && <OsmAttribution />}
    </section>
  );
}
