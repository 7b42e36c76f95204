import { OPENSTREETMAP } from '#shared/locations/tiles.ts';

/** Where an imported place comes from, as its license asks. @param id of the object, such as `way/1`; null leads to the license */
export function OsmAttribution({ id = null }: { id?: string | null }) {
  return (
    <a
      href={id === null ? OPENSTREETMAP.attribution_url : `https://www.openstreetmap.org/${id}`}
      target="_blank"
      rel="noreferrer"
      className="self-start text-xs text-accent underline"
    >
      {OPENSTREETMAP.attribution}
    </a>
  );
}
