import { MapPinCheck } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { describePoint } from '#shared/geocoder/contract.ts';
import type { Place } from '#shared/place.ts';
import { Attributions } from '../geocoder/attributions.tsx';
import { call } from '../http/api.ts';
import { useUnits } from '../settings/use-units.ts';

/** A pin that is being moved isn't looked up. */
const STEADY_MS = 600;
/** Coordinates of this many decimals have the same description. */
const DECIMALS = 5;

/** Says in words where the point of a form is: its coordinates at once, then its address and the nearest town. */
export function PointSummary({ point: { latitude, longitude } }: { point: Place }) {
  const units = useUnits();
  const text = `${latitude.toFixed(DECIMALS)}, ${longitude.toFixed(DECIMALS)}`;
  const [steady, setSteady] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSteady(text), STEADY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery({
    queryKey: ['point', text],
    queryFn: ({ signal }) => call(describePoint, { query: { latitude, longitude }, signal }),
    enabled: steady === text,
    staleTime: Infinity,
    retry: false,
  });
  const town =
    data?.town &&
    (data.town.miles < 0.5
      ? `In ${data.town.name}, ${data.town.detail}`
      : `${units.far(data.town.miles)} from ${data.town.name}, ${data.town.detail}`);
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
