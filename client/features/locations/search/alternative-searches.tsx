import type { Alternatives } from '#shared/locations/schemas.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { useUnits } from '../../settings/use-units.ts';
import { LOCATION_KINDS } from '../place-types.ts';
import type { Address } from './use-location-params.ts';

/** What there is instead of an empty result: a wider radius, and other types nearby. */
export function AlternativeSearches({
  alternatives: { types, wider_radius_miles },
  address: { placeQuery, searchFor },
}: {
  alternatives: Alternatives;
  address: Address;
}) {
  const units = useUnits();
  if (types.length === 0 && wider_radius_miles === null) return null;
  return (
    <div role="group" aria-label="Other searches" className="flex flex-wrap justify-center gap-2">
      {wider_radius_miles !== null && (
        <Button
          look="secondary"
          onClick={() => searchFor({ ...placeQuery, radius: wider_radius_miles })}
        >
          Search within {units.farWhole(wider_radius_miles)}
        </Button>
      )}
      {types.map(({ location_type: type, count }) => {
        const { name, Icon } = LOCATION_KINDS[type];
        return (
          <Button
            key={type}
            look="secondary"
            Icon={Icon}
            onClick={() => searchFor({ ...placeQuery, type })}
          >
            {name} ({count})
            <span className="sr-only"> within {units.farWhole(placeQuery.radius)}</span>
          </Button>
        );
      })}
    </div>
  );
}
