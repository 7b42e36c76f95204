import type { ReactNode } from 'react';
import type { Amenity } from '#shared/amenities/contract.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { metersBetween, type Place } from '#shared/place.ts';
import { useNow } from '../../../platform/use-now.ts';
import { hazardAge } from '../../hazards/hazard-age.ts';
import { HAZARD_ICONS } from '../../hazards/hazard-kinds.ts';
import type { ShownHazard } from '../../hazards/use-hazards.ts';
import { useUnits } from '../../settings/use-units.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { AMENITY_KINDS, LOCATION_KINDS } from '../place-types.ts';
import { MapCard } from './map-card.tsx';
import { PlacePicture } from './place-picture.tsx';

/** Whether something is open; nothing if that isn't known. */
function openWords({ is_open, changes_at, opening_hours }: Amenity): string[] {
  if (is_open === null) return opening_hours === null ? [] : [opening_hours];
  const until =
    changes_at === null ? '' : is_open ? ` until ${changes_at}` : `, opens ${changes_at}`;
  return [`${is_open ? 'Open' : 'Closed'}${until}`];
}

/** The place, amenity or hazard that was tapped on the map. */
export function Tapped({
  id,
  places,
  hazards,
  amenities,
  around,
  actionsOf,
  onPlace,
  onHazard,
  onClose,
}: {
  id: string;
  places: readonly ShownPlace[];
  hazards: readonly ShownHazard[];
  amenities: readonly Amenity[];
  around: Place;
  /** What one can do at a place. */
  actionsOf: (place: ShownPlace) => ReactNode;
  onPlace: (id: string) => void;
  onHazard: (id: string) => void;
  onClose: () => void;
}) {
  const units = useUnits();
  const now = useNow();
  const place = places.find((each) => each.id === id);
  const hazard = hazards.find((each) => each.id === id);
  if (place) {
    const { name, Icon } = LOCATION_KINDS[place.location_type];
    const rating = place.average_rating;
    const facts = [
      name,
      ...(place.distance_miles > 0 ? [units.far(place.distance_miles)] : []),
      ...(rating === null ? [] : [`${rating.toFixed(1)} of 5 stars`]),
    ];
    return (
      <MapCard
        name={place.name}
        detail={facts.join(' · ')}
        Icon={Icon}
        to={place}
        isOsm={place.osm_id !== null}
        onDetails={() => onPlace(id)}
        onClose={onClose}
        picture={<PlacePicture place={place} className="size-11" />}
      >
        {actionsOf(place)}
      </MapCard>
    );
  }
  const amenity = amenities.find((each) => each.id === id);
  if (amenity) {
    const { name, Icon } = AMENITY_KINDS[amenity.kind];
    const facts = [
      ...(amenity.name === null ? [] : [name]),
      `${units.walked(metersBetween(around, amenity))} away`,
      ...openWords(amenity),
      ...amenity.notes,
    ];
    return (
      <MapCard
        name={amenity.name ?? name}
        detail={facts.join(' · ')}
        Icon={Icon}
        to={amenity}
        phone={amenity.phone}
        isOsm
        onClose={onClose}
      />
    );
  }
  if (!hazard) return null;
  const age = hazardAge(hazard, now);
  return (
    <MapCard
      name={HAZARD_NAMES[hazard.kind]}
      detail={`${units.walked(metersBetween(around, hazard))} away · ${age}`}
      Icon={HAZARD_ICONS[hazard.kind]}
      to={hazard}
      onDetails={() => onHazard(id)}
      onClose={onClose}
    />
  );
}
