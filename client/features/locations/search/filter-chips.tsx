import { Check, SlidersHorizontal, type LucideIcon } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { amenityKind } from '#shared/amenities/contract.ts';
import { locationType, placeFeature, type PlaceFeature } from '#shared/locations/schemas.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { AMENITY_KINDS, FEATURES, LOCATION_KINDS } from '../place-types.ts';
import type { Address } from './use-location-params.ts';

const CHIP =
  'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border px-3 text-sm font-bold';
const ON = 'border-accent bg-accent-soft text-accent';
const OFF = 'border-line-strong bg-surface';

/** The words of filters that would read like what is on the map. */
const HAS: Partial<Record<PlaceFeature, string>> = {
  water_available: 'Has water',
  parking_available: 'Has parking',
};

/** Chips in one row, which scrolls sideways on a phone. */
function ChipRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      role="group"
      aria-label={label}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-1"
    >
      {children}
    </div>
  );
}

/** Chips below their label. */
function ChipGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-bold">
        {label}
      </h3>
      <div className="flex flex-wrap gap-2">{children}</div>
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
      className={`${CHIP} ${isOn ? ON : OFF}`}
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
  FEATURES.filter(({ field }) => field === feature).map((each) => ({
    ...each,
    feature,
    // A place with it: what is on the map on its own is in the sheet.
    name: HAS[feature] ?? each.name,
  })),
);

/** What a place has, in one row; all filters, in a sheet. */
export function FilterChips({ address }: { address: Address }) {
  const { placeQuery, searchFor, amenities, showAmenities } = address;
  const { features, type } = placeQuery;
  const [isOpen, setOpen] = useState(false);
  const chosen = (type === null ? 0 : 1) + features.length + amenities.length;
  const featureChips = CHOICES.map(({ feature, name, Icon }) => (
    <Chip
      key={feature}
      name={name}
      Icon={Icon}
      isOn={features.includes(feature)}
      onChange={(isOn) =>
        searchFor({ ...placeQuery, features: toggled(features, feature, isOn) }, true)
      }
    />
  ));
  return (
    <>
      <ChipRow label="Filters">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className={`${CHIP} ${chosen > 0 ? ON : OFF}`}
        >
          <SlidersHorizontal aria-hidden className="size-4 shrink-0" />
          <span>{chosen > 0 ? `All filters (${chosen})` : 'All filters'}</span>
        </button>
        {featureChips}
      </ChipRow>
      <Modal open={isOpen} onClose={() => setOpen(false)} title="Filters">
        <div className="flex flex-col gap-4">
          <ChipGroup label="Type of place">
            {locationType.options.map((each) => (
              <Chip
                key={each}
                {...LOCATION_KINDS[each]}
                isOn={type === each}
                onChange={(isOn) => searchFor({ ...placeQuery, type: isOn ? each : null }, true)}
              />
            ))}
          </ChipGroup>
          <ChipGroup label="What it has">{featureChips}</ChipGroup>
          {placeQuery.from && address.hasMap && (
            <ChipGroup label="Also on the map">
              {amenityKind.options.map((kind) => (
                <Chip
                  key={kind}
                  name={AMENITY_KINDS[kind].many}
                  Icon={AMENITY_KINDS[kind].Icon}
                  isOn={amenities.includes(kind)}
                  onChange={(isOn) => showAmenities(toggled(amenities, kind, isOn))}
                />
              ))}
            </ChipGroup>
          )}
          <Button wide onClick={() => setOpen(false)}>
            Show places
          </Button>
        </div>
      </Modal>
    </>
  );
}
