import 'leaflet/dist/leaflet.css';
import './places-map.css';
import { useQuery } from '@tanstack/react-query';
import {
  circle,
  divIcon,
  latLng,
  layerGroup,
  map as makeMap,
  marker,
  tileLayer,
  type Map,
} from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { getMapTiles } from '#shared/locations/contract.ts';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import { call } from '../../http/api.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { useUser } from '../../session/use-auth.tsx';
import { Button } from '../../ui/button.tsx';
import { LOCATION_KINDS } from '../place-types.ts';
import type { ShownPlace } from '../optimistic-places.ts';

const NAME = 'map-tiles';
const ZOOM_MAX = 19;
/** Zoom level from which a place's surroundings are visible. */
const CLOSE_ZOOM = 14;

/** Returns the map tiles' configuration, cached for offline starts. */
function useTiles() {
  const user = useUser();
  const userId = user?.id ?? '';
  const { data } = useQuery({
    queryKey: ['map-tiles'],
    queryFn: async ({ signal }) => {
      const answer = await call(getMapTiles, { signal });
      writeCache(userId, NAME, answer);
      return answer;
    },
    initialData: () => readCache(getMapTiles.answer, userId, NAME) ?? undefined,
    initialDataUpdatedAt: 0,
  });
  return data?.tiles ?? null;
}

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
  from,
  radius,
  here,
  chosen,
  onChoose,
  onSearchAt,
}: {
  places: readonly ShownPlace[];
  from: Place;
  /** In miles. */
  radius: number;
  here: Place | null;
  chosen: string | null;
  onChoose: (id: string) => void;
  onSearchAt: (place: Place) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<Map | null>(null);
  const [isElsewhere, setElsewhere] = useState(false);
  const [hasTileErrors, setTileErrors] = useState(false);
  const tiles = useTiles();

  useEffect(() => {
    if (!box.current) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const made = makeMap(box.current, {
      maxZoom: ZOOM_MAX,
      minZoom: 3,
      worldCopyJump: true,
      zoomAnimation: !calm,
      fadeAnimation: !calm,
      markerZoomAnimation: !calm,
    });
    made.attributionControl.setPrefix(false);
    setMap(made);
    return () => {
      setMap(null);
      made.remove();
    };
  }, []);

  useEffect(() => {
    if (!map || !tiles) return;
    const credit = document.createElement(tiles.attribution_url ? 'a' : 'span');
    credit.textContent = tiles.attribution;
    if (credit instanceof HTMLAnchorElement)
      Object.assign(credit, { href: tiles.attribution_url, target: '_blank', rel: 'noopener' });
    const layer = tileLayer(tiles.url, { attribution: credit.outerHTML, maxZoom: ZOOM_MAX });
    layer.on('tileerror', () => setTileErrors(true)).on('tileload', () => setTileErrors(false));
    layer.addTo(map);
    return () => void layer.remove();
  }, [map, tiles]);

  const { latitude, longitude } = from;
  const reach = reachOf(places, from, radius);
  useEffect(() => {
    if (!map) return;
    map.fitBounds(latLng(latitude, longitude).toBounds(2 * reach), { animate: false });
    const area = circle([latitude, longitude], {
      radius: radius * METERS_PER_MILE,
      className: 'places-map-area',
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
          className: `places-map-pin ${isChosen ? 'is-chosen' : ''}`,
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
    if (!map || !here) return;
    const dot = marker([here.latitude, here.longitude], {
      icon: divIcon({ className: 'places-map-here', iconSize: [20, 20] }),
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
        className="places-map h-[60dvh] max-h-144 rounded-card border border-line bg-sunken md:h-[calc(100dvh-8rem)]"
      />
      <div className="pointer-events-none absolute inset-x-0 top-3 z-1000 flex flex-col items-center gap-2 px-14">
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
