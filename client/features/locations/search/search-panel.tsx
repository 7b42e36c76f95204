import { ChevronDown, LocateFixed, Search } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import type { GeocoderResult } from '#shared/geocoder/contract.ts';
import { SEARCH_RADIUS } from '#shared/locations/rules.ts';
import { type LocationType } from '#shared/locations/schemas.ts';
import type { Place } from '#shared/place.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { PlaceSearch } from '../../geocoder/place-search.tsx';
import { useUnits } from '../../settings/use-units.ts';
import { choicesOf, LOCATION_KINDS } from '../place-types.ts';
import { shownRadius, typedMiles } from './search-params.ts';

const TYPES = [{ value: '', name: 'All Types' }, ...choicesOf(LOCATION_KINDS)];

/**
 * The search for places to walk, near here or somewhere else. On a phone, it is folded once there was a search, so that what was
 * found shows without scrolling.
 */
export function SearchPanel({
  radius,
  type,
  hasSearched,
  isSearching,
  isFinding,
  onSearch,
  onUseMyLocation,
  near,
  onSearchAround,
}: {
  radius: number;
  type: LocationType | null;
  /** Whether the list shows a search: what it found, or that it found nothing. */
  hasSearched: boolean;
  isSearching: boolean;
  /** Whether the position is being determined. */
  isFinding: boolean;
  onSearch: (radius: number, type: LocationType | null) => void;
  onUseMyLocation: (radius: number, type: LocationType | null) => void;
  /** Where near places are, for the suggestions. */
  near: Place | null;
  /** Called with the town, address or place that the user has found. */
  onSearchAround: (result: GeocoderResult) => void;
}) {
  const units = useUnits();
  const [typedRadius, setRadius] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [pickedType, setType] = useState<LocationType | '' | null>(null);
  // Resets the fields when another search is shown, such as after going back.
  const [before, setBefore] = useState({ radius, type });
  if (before.radius !== radius || before.type !== type) {
    setBefore({ radius, type });
    setRadius(null);
    setType(null);
    setProblem(undefined);
  }
  const [min, max] = [SEARCH_RADIUS.shortest, SEARCH_RADIUS.max].map((miles) =>
    shownRadius(miles, units),
  );
  const field = useRef<HTMLInputElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  const fieldsId = useId();
  const [isOpen, setOpen] = useState(false);
  const isFolded = hasSearched && !isOpen;
  const typeName = TYPES.find(({ value }) => value === (type ?? ''))?.name;
  // The first search makes the focused field or button disappear only now. On a wide screen, the toggle is hidden, so that it can't
  // take the focus, and nothing is folded.
  useLayoutEffect(() => {
    if (isFolded && fields.current?.contains(document.activeElement))
      toggle.current?.focus({ preventScroll: true });
  }, [isFolded]);
  function fold() {
    if (!isOpen) return;
    setOpen(false);
    toggle.current?.focus({ preventScroll: true });
  }

  /** Returns what was entered; null and an error if the radius is out of bounds. */
  function draft(): [number, LocationType | null] | null {
    const miles = typedRadius === null ? radius : typedMiles(typedRadius, units);
    setProblem(miles === null ? `Enter ${min} to ${max}.` : undefined);
    if (miles !== null) return [miles, (pickedType ?? type) || null];
    field.current?.focus();
    return null;
  }

  const finder = useRef<HTMLDivElement>(null);
  const isWide = useMedia('(min-width: 48rem)');
  const [isTyped, setTyped] = useState(false);

  function search(event: FormEvent) {
    event.preventDefault();
    // A typed town isn’t what was searched around before.
    if (isTyped) return finder.current?.querySelector('form')?.requestSubmit();
    const entered = draft();
    if (!entered) return;
    setRadius(shownRadius(entered[0], units));
    fold();
    onSearch(...entered);
  }

  return (
    <div className="flex flex-col rounded-card border border-line bg-surface p-2 shadow-lift md:grid md:grid-cols-[minmax(14rem,1fr)_auto] md:items-start md:gap-3 md:p-3">
      <div className="flex items-start gap-1">
        <div ref={finder} className="min-w-0 flex-1 md:pt-7.5">
          <PlaceSearch
            isLabelHidden
            // Search is next to it, unless it is folded.
            hasButton={isFolded && !isWide}
            near={near}
            onTyped={setTyped}
            onChoose={(result) => {
              fold();
              onSearchAround(result);
            }}
          />
        </div>
        {hasSearched && (
          <button
            ref={toggle}
            type="button"
            aria-expanded={!isFolded}
            aria-controls={fieldsId}
            onClick={() => setOpen(isFolded)}
            className="group relative flex min-h-12 min-w-12 shrink-0 items-center justify-center gap-1 rounded-control px-2 text-sm font-bold text-accent aria-expanded:bg-accent-soft md:hidden"
          >
            <span aria-hidden className="whitespace-nowrap">
              {shownRadius(radius, units)} {units.system === 'us' ? 'mi' : 'km'}
            </span>
            <ChevronDown aria-hidden className="size-4 shrink-0 group-aria-expanded:rotate-180" />
            <span className="sr-only">
              {isFinding
                ? 'Finding your location…'
                : `Within ${units.farWhole(radius)} · ${typeName}`}
              , change the search
            </span>
          </button>
        )}
      </div>
      <div ref={fields} id={fieldsId} className={isFolded ? 'max-md:hidden' : 'max-md:p-2'}>
        <form
          role="search"
          aria-label="Places to walk"
          onSubmit={search}
          noValidate
          className="grid grid-cols-2 items-start gap-3 md:grid-cols-[7rem_9rem_auto_auto] md:items-end"
        >
          <Field
            label={units.system === 'us' ? 'Radius (miles)' : 'Radius (km)'}
            type="number"
            inputMode="numeric"
            ref={field}
            min={min}
            max={max}
            step={1}
            value={typedRadius ?? shownRadius(radius, units)}
            onChange={(event) => {
              setRadius(event.target.value);
              setProblem(undefined);
            }}
            error={problem}
          />
          <SelectField
            label="Location type"
            options={TYPES}
            value={pickedType ?? type ?? ''}
            onChange={(event) => setType(event.target.value as LocationType | '')}
          />
          {/* Next to each other on a narrow phone, too, without their icons. */}
          <div className="col-span-2 flex flex-wrap gap-3 md:contents">
            <Button
              type="submit"
              look={hasSearched ? 'primary' : 'secondary'}
              pending={isSearching && 'Searching…'}
              Icon={Search}
              className="flex-auto px-3! max-sm:[&>svg]:hidden"
            >
              Search
            </Button>
            <Button
              look={hasSearched ? 'secondary' : 'primary'}
              pending={isFinding && 'Finding your location…'}
              Icon={LocateFixed}
              onClick={() => {
                const entered = draft();
                if (!entered) return;
                fold();
                onUseMyLocation(...entered);
              }}
              className="flex-auto px-3! max-sm:[&>svg]:hidden"
            >
              Use My Location
            </Button>
          </div>
        </form>
      </div>
    </div>
  );
}
