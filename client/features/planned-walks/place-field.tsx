import { MapPinCheck } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { GeocoderResult } from '#shared/geocoder/contract.ts';
import { isImportedPlace } from '#shared/locations/rules.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { PLACE_NAME_MAX } from '#shared/planned-walks/rules.ts';
import { degreesOf, typedPoint } from '../../platform/map/degrees.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { PinField } from '../geocoder/pin-field.tsx';
import { PlaceSearch } from '../geocoder/place-search.tsx';
import { lastSearch, usePlace } from '../locations/search/use-places.ts';

/** Where a walk begins: the name of the place, and its id if it is one of the app's. */
export interface WalkPlace {
  name: string;
  /** Null for any other. */
  id: string | null;
  /** As texts, empty without a pin. */
  latitude: string;
  longitude: string;
}

export const NO_PLACE: WalkPlace = { name: '', id: null, latitude: '', longitude: '' };

/** Returns a place of the app or of a walk for the form. */
export const walkPlace = (
  id: string | null,
  name: string,
  { latitude, longitude }: { latitude: number | null; longitude: number | null },
): WalkPlace => ({
  ...NO_PLACE,
  id,
  name: cutText(name, PLACE_NAME_MAX),
  ...(latitude !== null && longitude !== null && typedPoint({ latitude, longitude })),
});

/** Returns the app's place with this id, if this device or the server has it. */
export function useKnownPlace(id: string | null): WalkPlace | null {
  const userId = useUser()?.id ?? '';
  const { place } = usePlace(id);
  const [listed] = useState(() =>
    lastSearch(userId)?.answer.locations.find((found) => found.id === id),
  );
  const known = place ?? listed;
  return known ? walkPlace(known.id, known.name, known) : null;
}

/** The fields of a place as the call takes them. */
export const placeFields = ({ id, name, latitude, longitude }: WalkPlace) => ({
  place_name: name,
  ...(id !== null && { location_id: id }),
  latitude: degreesOf(latitude),
  longitude: degreesOf(longitude),
});

/**
 * Chooses where to meet: one of the app's places, an address, or any name with or without a pin. Those of the last search are
 * suggested at once, also offline.
 */
export function PlaceField({
  place,
  errors,
  onChange,
}: {
  place: WalkPlace;
  errors: Record<string, string>;
  onChange: (place: WalkPlace) => void;
}) {
  const userId = useUser()?.id ?? '';
  const [last] = useState(() => lastSearch(userId));
  const known = useMemo(
    () =>
      last?.answer.locations.map((found): GeocoderResult => ({
        kind: 'place',
        id: found.id,
        name: found.name,
        detail: found.address,
        latitude: found.latitude,
        longitude: found.longitude,
        is_osm: isImportedPlace(found.id),
      })) ?? [],
    [last],
  );
  const hasPin = place.latitude !== '' && place.longitude !== '';
  // What was found has its pin already.
  const [isFound, setFound] = useState(false);
  const isOwn = place.id === null && !isFound;
  const [isPinning, setPinning] = useState(hasPin && isOwn);
  const hasErrors = Boolean(errors['latitude'] ?? errors['longitude']);
  return (
    <div className="flex flex-col gap-1">
      <PlaceSearch
        label="Place"
        isEmbedded
        near={last?.placeQuery.from ?? null}
        free={{
          text: place.name,
          max: PLACE_NAME_MAX,
          hint: 'Choose a place, or type any name.',
          error: errors['place_name'],
          known,
          // Another name is another place, but a pin that was set by hand stays.
          onType: (name) => {
            setFound(false);
            onChange(isOwn ? { ...place, name } : { ...NO_PLACE, name });
          },
        }}
        onChoose={(found) => {
          setFound(true);
          setPinning(false);
          onChange(walkPlace(found.kind === 'place' ? found.id : null, found.name, found));
        }}
      />
      {hasPin && !isPinning && (
        <p role="status" className="mt-1 flex items-center gap-2 text-sm">
          <MapPinCheck aria-hidden className="size-5 shrink-0 text-accent" />
          Your friends get directions to it.
        </p>
      )}
      {isOwn && (hasPin || place.name.trim() !== '') && (
        <details
          open={isPinning || hasErrors}
          onToggle={({ currentTarget }) => setPinning(currentTarget.open)}
        >
          <Summary chevron="before" className="text-sm text-accent">
            Show your friends the exact spot
          </Summary>
          <PinField
            legend="Where you meet"
            isMapFirst
            view={last?.placeQuery.from ?? null}
            value={place}
            errors={errors}
            onChange={(changed) => onChange({ ...place, ...changed })}
          />
        </details>
      )}
    </div>
  );
}
