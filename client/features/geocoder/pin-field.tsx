import { MapPin } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import {
  latitude as latitudeRange,
  longitude as longitudeRange,
  type Place,
} from '#shared/place.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { typedPoint } from '../../platform/map/degrees.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { PlaceSearch } from './place-search.tsx';
import { PointSummary } from './point-summary.tsx';

const PinMap = lazyComponent(
  () => import('../../platform/map/pin-map.tsx'),
  () => <Skeleton label="Loading map…" lines={5} />,
);

interface Typed {
  latitude: string;
  longitude: string;
}

/** Returns the typed coordinates; null unless both are in range. Both zero means that nothing was entered. */
function placeOf(typed: Typed): Place | null {
  if (!typed.latitude.trim() || !typed.longitude.trim()) return null;
  const latitude = latitudeRange.safeParse(Number(typed.latitude));
  const longitude = longitudeRange.safeParse(Number(typed.longitude));
  if (!latitude.success || !longitude.success) return null;
  const isZero = latitude.data === 0 && longitude.data === 0;
  return isZero ? null : { latitude: latitude.data, longitude: longitude.data };
}

/**
 * A form's point: set by a pin on a map, a search for an address, or `children` such as a button for the device's position.
 * The chosen point is described in words, and the typed coordinates stay available under “Enter coordinates”.
 */
export function PinField({
  legend,
  value,
  errors,
  names = { latitude: 'latitude', longitude: 'longitude' },
  hint,
  radiusMiles,
  isRequired = false,
  isMapFirst = false,
  view,
  onAddress,
  onChange,
  children,
}: {
  legend: string;
  value: Typed;
  errors: Partial<Typed>;
  /** Of the inputs. */
  names?: Typed;
  /** About the coordinates. */
  hint?: string;
  radiusMiles?: number | undefined;
  isRequired?: boolean;
  /** Whether the map is always open, for a form that is about a place. */
  isMapFirst?: boolean;
  /** What the map shows before a point is chosen. */
  view?: Place | null;
  /** Called with the address of the chosen point once it is known. */
  onAddress?: (address: string) => void;
  onChange: (changed: Partial<Typed>) => void;
  children?: ReactNode;
}) {
  const point = placeOf(value);
  const hasPoint = point !== null;
  const hadPoint = useRef(hasPoint);
  const [hasMap, setMap] = useState(false);
  const [isTyping, setTyping] = useState(false);
  // A point that was just filled in is shown before it is sent.
  useEffect(() => {
    if (hasPoint && !hadPoint.current && !isTyping) setMap(true);
    hadPoint.current = hasPoint;
  }, [hasPoint, isTyping]);
  const hasErrors = Boolean(errors.latitude ?? errors.longitude);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  const setPin = useCallback((place: Place) => change.current(typedPoint(place)), []);

  const summary = point && <PointSummary point={point} onAddress={onAddress} />;
  const map = (
    <PinMap
      pin={point}
      view={view}
      radiusMiles={radiusMiles}
      label={`Pin: ${legend}`}
      onMove={setPin}
    />
  );
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-bold">{legend}</legend>
      {isMapFirst ? (
        <>
          <PlaceSearch isEmbedded isLabelHidden near={view} onChoose={setPin} />
          {children}
          {summary}
          {map}
        </>
      ) : (
        <>
          {children}
          {summary}
          <Button
            look="secondary"
            Icon={MapPin}
            aria-expanded={hasMap}
            onClick={() => setMap(!hasMap)}
          >
            {hasMap ? 'Hide map' : 'Choose on map'}
          </Button>
          {hasMap && (
            <>
              <PlaceSearch isEmbedded onChoose={setPin} />
              {map}
            </>
          )}
        </>
      )}
      <details
        open={isTyping || hasErrors}
        onToggle={({ currentTarget }) => setTyping(currentTarget.open)}
      >
        <Summary chevron="before" className="font-bold">
          Enter coordinates
        </Summary>
        <div className="mt-2 grid grid-cols-2 gap-3">
          {(['latitude', 'longitude'] as const).map((name) => (
            <Field
              key={name}
              label={name === 'latitude' ? 'Latitude' : 'Longitude'}
              name={names[name]}
              // A keyboard with digits alone may lack the minus sign.
              inputMode="text"
              autoComplete="off"
              required={isRequired}
              value={value[name]}
              error={errors[name]}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          ))}
        </div>
        {hint && <p className="mt-1.5 text-sm text-soft">{hint}</p>}
      </details>
    </fieldset>
  );
}
