import { MapPinCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { describePoint } from '#shared/geocoder/contract.ts';
import type { Place } from '#shared/place.ts';
import { unitsOf } from '#shared/units.ts';
import { call } from '../../platform/http/api.ts';
import { Attributions } from './attributions.tsx';

/** A pin that is being moved isn't looked up. */
const STEADY_MS = 600;
/** Coordinates of this many decimals have the same description. */
const DECIMALS = 5;

type Description = z.output<typeof describePoint.answer>;

/** In the units of the device: advertisers, who place their business, have no settings. */
const units = () => unitsOf('automatic', navigator.language);

/** Says in words where the point of a form is: its coordinates at once, then its address and the nearest town. */
export function PointSummary({
  point: { latitude, longitude },
  onAddress,
}: {
  point: Place;
  onAddress?: ((address: string) => void) | undefined;
}) {
  const text = `${latitude.toFixed(DECIMALS)}, ${longitude.toFixed(DECIMALS)}`;
  const [described, setDescribed] = useState<{ text: string; as: Description } | null>(null);
  const tell = useRef(onAddress);
  useEffect(() => {
    tell.current = onAddress;
  });
  useEffect(() => {
    const leaving = new AbortController();
    const ask = () =>
      call(describePoint, { query: { latitude, longitude }, signal: leaving.signal }).then(
        (as) => {
          setDescribed({ text, as });
          if (as.address !== null) tell.current?.(as.address);
          return as;
        },
        // The coordinates say enough.
        () => {},
      );
    const timer = setTimeout(() => void ask(), STEADY_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text, latitude, longitude]);
  const data = described?.text === text ? described.as : null;
  const town =
    data?.town &&
    (data.town.miles < 0.5
      ? `In ${data.town.name}, ${data.town.detail}`
      : `${units().far(data.town.miles)} from ${data.town.name}, ${data.town.detail}`);
  return (
    <div className="rounded-control bg-sunken p-3.5">
      <div role="status" className="flex gap-3">
        <MapPinCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <p className="min-w-0 break-words">
          <span className="block font-bold">{data?.address ?? town ?? 'Chosen point'}</span>
          {data?.address && town && <span className="block">{town}</span>}
          <span className="block text-sm text-soft tabular-nums">{text}</span>
        </p>
      </div>
      <Attributions of={data?.attributions ?? []} />
    </div>
  );
}
