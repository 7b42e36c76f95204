import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { amenityKind } from '#shared/amenities/contract.ts';
import { locationType, placeFeature } from '#shared/locations/schemas.ts';
import { AMENITY_KINDS, FEATURES, LOCATION_KINDS } from '../place-types.ts';
import type { Address } from './use-location-params.ts';

/** Chips in one row, which scrolls sideways on a phone. */
function ChipRow({
  label,
  words,
  children,
}: {
  label: string;
  /** Shown before the chips. */
  words?: string;
  children: ReactNode;
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-1"
    >
      {words && (
        <span aria-hidden className="self-center text-sm whitespace-nowrap text-soft">
          {words}
        </span>
      )}
      {children}
    </div>
  );
}

/** A filter that is on or off. */
function Chip({
  name,
  Icon,
  isOn,
  onChange,
}: {
  name: string;
  Icon: LucideIcon;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const Shown = isOn ? Check : Icon;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className={`inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border px-3 text-sm font-bold ${isOn ? 'border-accent bg-accent-soft text-accent' : 'border-line-strong bg-surface'}`}
    >
      <Shown aria-hidden className="size-4 shrink-0" />
      {name}
    </button>
  );
}

/** Returns the values with one added at its end or removed. */
const toggled = <V,>(values: readonly V[], value: V, isOn: boolean): V[] => [
  ...values.filter((other) => other !== value),
  ...(isOn ? [value] : []),
];

/** The features that a search can ask for, in its order. */
const CHOICES = placeFeature.options.flatMap((feature) =>
  FEATURES.filter(({ field }) => field === feature).map((each) => ({ ...each, feature })),
);

/** The filters of the search, and what else is on the map. */
export function FilterChips({ address }: { address: Address }) {
  const { placeQuery, searchFor, amenities, showAmenities } = address;
  const { features, type } = placeQuery;
  return (
    <div className="flex min-w-0 flex-col">
      <ChipRow label="Filters">
        {CHOICES.map(({ feature, name, Icon }) => (
          <Chip
            key={feature}
            name={name}
            Icon={Icon}
            isOn={features.includes(feature)}
            onChange={(isOn) =>
              searchFor({ ...placeQuery, features: toggled(features, feature, isOn) }, true)
            }
          />
        ))}
        {locationType.options.map((each) => (
          <Chip
            key={each}
            {...LOCATION_KINDS[each]}
            isOn={type === each}
            onChange={(isOn) => searchFor({ ...placeQuery, type: isOn ? each : null }, true)}
          />
        ))}
      </ChipRow>
      {placeQuery.from && address.hasMap && (
        <ChipRow label="Also on the map" words="On the map:">
          {amenityKind.options.map((kind) => (
            <Chip
              key={kind}
              name={AMENITY_KINDS[kind].many}
              Icon={AMENITY_KINDS[kind].Icon}
              isOn={amenities.includes(kind)}
              onChange={(isOn) => showAmenities(toggled(amenities, kind, isOn))}
            />
          ))}
        </ChipRow>
      )}
    </div>
  );
}
