import { circle, divIcon, latLng, layerGroup, marker, type Map } from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import { useLeafletMap } from '../../../platform/map/use-leaflet-map.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { LOCATION_KINDS } from '../place-types.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import type { ShownHazard } from '../../hazards/use-hazards.ts';
import type { ShownPlace } from '../optimistic-places.ts';

/** Zoom level from which a place's surroundings are visible. */
const CLOSE_ZOOM = 14;

/** Minimum radius shown around a single place, so that its streets are visible. */
const REACH_MIN_METERS = 400;

/** Returns the radius to show: up to the farthest place found, because many are often close together. */
function reachOf(places: readonly Place[], from: Place, radius: number): number {
  const limit = radius * METERS_PER_MILE;
  if (places.length === 0) return limit;
  const here = latLng(from.latitude, from.longitude);
  const far = Math.max(...places.map((at) => here.distanceTo([at.latitude, at.longitude])));
  return Math.min(limit, Math.max(far * 1.1, REACH_MIN_METERS));
}

const moved = (map: Map, from: Place): boolean =>
  !map.getBounds().pad(-0.35).contains([from.latitude, from.longitude]);

/**
 * Places on a map, each with a button to choose it. Without tiles, such as offline, they're shown on a plain background; the
 * list next to the map has the same content.
 */
export default function PlacesMap({
  places,
  hazards,
  from,
  radius,
  here,
  chosen,
  onChoose,
  onChooseHazard,
  onSearchAt,
}: {
  places: readonly ShownPlace[];
  hazards: readonly ShownHazard[];
  from: Place;
  /** In miles. */
  radius: number;
  here: Place | null;
  chosen: string | null;
  onChoose: (id: string) => void;
  onChooseHazard: (id: string) => void;
  onSearchAt: (place: Place) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { map, hasTileErrors } = useLeafletMap(box);
  const [isElsewhere, setElsewhere] = useState(false);

  const { latitude, longitude } = from;
  const reach = reachOf(places, from, radius);
  useEffect(() => {
    if (!map) return;
    map.fitBounds(latLng(latitude, longitude).toBounds(2 * reach), { animate: false });
    const area = circle([latitude, longitude], {
      radius: radius * METERS_PER_MILE,
      className: 'map-area',
      interactive: false,
    }).addTo(map);
    setElsewhere(false);
    const update = () => setElsewhere(moved(map, { latitude, longitude }));
    map.on('moveend', update);
    return () => {
      map.off('moveend', update);
      area.remove();
    };
  }, [map, latitude, longitude, radius, reach]);

  useEffect(() => {
    if (!map) return;
    const pins = layerGroup().addTo(map);
    for (const place of places) {
      const isChosen = place.id === chosen;
      const { name } = LOCATION_KINDS[place.location_type];
      marker([place.latitude, place.longitude], {
        icon: divIcon({
          className: `map-pin ${isChosen ? 'is-chosen' : ''}`,
          iconSize: [44, 44],
          iconAnchor: [22, 40],
        }),
        title: `${place.name}, ${name}`,
        zIndexOffset: isChosen ? 1_000 : 0,
        riseOnHover: true,
      })
        .on('click keypress', () => onChoose(place.id))
        .addTo(pins);
    }
    return () => void pins.remove();
  }, [map, places, chosen, onChoose]);

  useEffect(() => {
    if (!map) return;
    const pins = layerGroup().addTo(map);
    for (const { id, kind, latitude: lat, longitude: lng } of hazards)
      marker([lat, lng], {
        icon: divIcon({
          className: 'map-hazard',
          html: '<span aria-hidden="true">!</span>',
          iconSize: [44, 44],
        }),
        title: HAZARD_NAMES[kind],
        riseOnHover: true,
      })
        .on('click keypress', () => onChooseHazard(id))
        .addTo(pins);
    return () => void pins.remove();
  }, [map, hazards, onChooseHazard]);

  useEffect(() => {
    if (!map || !here) return;
    const dot = marker([here.latitude, here.longitude], {
      icon: divIcon({ className: 'map-here', iconSize: [20, 20] }),
      interactive: false,
      keyboard: false,
    }).addTo(map);
    return () => void dot.remove();
  }, [map, here]);

  const chosenPlace = places.find(({ id }) => id === chosen);
  const at = chosenPlace && `${chosenPlace.latitude} ${chosenPlace.longitude}`;
  useEffect(() => {
    if (!map || !at) return;
    const [lat = 0, lng = 0] = at.split(' ').map(Number);
    if (!map.getBounds().pad(-0.1).contains([lat, lng]))
      map.setView([lat, lng], Math.max(map.getZoom(), CLOSE_ZOOM - 2));
  }, [map, at]);

  return (
    <section aria-label="Map" className="relative isolate">
      <div
        ref={box}
        className="map h-[60dvh] max-h-144 rounded-card border border-line bg-sunken md:h-[calc(100dvh-8rem)]"
      />
      <div className="pointer-events-none absolute inset-x-0 top-3 z-1000 flex flex-col items-center gap-2 px-17">
        <p
          role="status"
          className="rounded-control bg-surface px-3 py-1.5 text-center text-sm shadow-lift empty:hidden"
        >
          {hasTileErrors &&
            'The map background can’t be loaded. Place positions are still correct.'}
        </p>
        {isElsewhere && map && (
          <Button
            className="pointer-events-auto min-h-11! shadow-lift"
            onClick={() => {
              const { lat, lng } = map.getCenter().wrap();
              onSearchAt({ latitude: lat, longitude: lng });
            }}
          >
            Search this area
          </Button>
        )}
      </div>
    </section>
  );
}
