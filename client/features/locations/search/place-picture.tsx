import type { ShownPlace } from '../optimistic-places.ts';
import { LOCATION_KINDS } from '../place-types.ts';

/** The newest photo of a place, else the icon of its type. @param className its size */
export function PlacePicture({
  place: { image_key, location_type },
  className,
}: {
  place: Pick<ShownPlace, 'image_key' | 'location_type'>;
  className: string;
}) {
  const { Icon } = LOCATION_KINDS[location_type];
  if (image_key !== null)
    return (
      <img
        src={`/api/files/${image_key}`}
        alt=""
        loading="lazy"
        className={`shrink-0 rounded-control bg-sunken object-cover ${className}`}
      />
    );
  return (
    <span
      className={`flex shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent ${className}`}
    >
      <Icon aria-hidden className="size-6" />
    </span>
  );
}
