import { circle, divIcon, latLng, layerGroup, marker, type Map } from 'leaflet';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Amenity } from '#shared/amenities/contract.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import { useLeafletMap } from '../../../platform/map/use-leaflet-map.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import type { ShownHazard } from '../../hazards/use-hazards.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { AMENITY_KINDS, LOCATION_KINDS } from '../place-types.ts';

/** Zoom level from which a place's surroundings are visible. */
const CLOSE_ZOOM = 14;

/** The map first shows so many of the nearest places; farther ones are found by moving it. */
const SHOWN_AT_FIRST = 8;
/** The size of a pin, and about that of its name below it, in pixels. */
const PIN = { width: 44, height: 40 };
const NAME = { letter: 7, max: 120, height: 16 };

type Box = [left: number, top: number, right: number, bottom: number];
const overlap = (a: Box, b: Box): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Returns the places whose names cover no other pin and no other name; the first ones come first. */
function namedOn(map: Map, places: readonly ShownPlace[], chosen: string | null): Set<string> {
  const pins = places.map(({ id, name, latitude, longitude }) => {
    const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
    const half = Math.min(name.length * NAME.letter, NAME.max) / 2;
    const pin: Box = [x - PIN.width / 2, y - PIN.height, x + PIN.width / 2, y];
    const label: Box = [x - half, y, x + half, y + NAME.height];
    return { id, pin, label };
  });
  const named = new Set<string>();
  const taken: Box[] = [];
  for (const each of pins) {
    const isFree =
      !taken.some((box) => overlap(box, each.label)) &&
      !pins.some(({ id, pin }) => id !== each.id && overlap(pin, each.label));
    if (!isFree && each.id !== chosen) continue;
    named.add(each.id);
    taken.push(each.label);
  }
  return named;
}

/** Minimum radius shown around a single place, so that its streets are visible. */
const REACH_MIN_METERS = 400;

/** Returns the radius to show: up to the farthest of the nearest places, because many are often close together. */
function reachOf(places: readonly Place[], from: Place, radius: number): number {
  const limit = radius * METERS_PER_MILE;
  if (places.length === 0) return limit;
  const here = latLng(from.latitude, from.longitude);
  const distances = places.map((at) => here.distanceTo([at.latitude, at.longitude]));
  const far = Math.max(...distances.toSorted((a, b) => a - b).slice(0, SHOWN_AT_FIRST));
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
  amenities,
  from,
  radius,
  here,
  chosen,
  onChoose,
  onChooseHazard,
  onChooseAmenity,
  onSearchAt,
  children,
}: {
  places: readonly ShownPlace[];
  hazards: readonly ShownHazard[];
  amenities: readonly Amenity[];
  from: Place;
  /** In miles. */
  radius: number;
  here: Place | null;
  chosen: string | null;
  onChoose: (id: string) => void;
  onChooseHazard: (id: string) => void;
  onChooseAmenity: (id: string) => void;
  onSearchAt: (place: Place) => void;
  /** What was chosen, shown at the bottom of the map. */
  children?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { map, hasTileErrors } = useLeafletMap(box);
  const [isElsewhere, setElsewhere] = useState(false);
  const [named, setNamed] = useState<ReadonlySet<string>>(new Set());
  /** The element of each pin, which React draws into. */
  const [hosts, setHosts] = useState<{ place: ShownPlace; host: HTMLElement }[]>([]);

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
    const update = () => setElsewhere(moved(map, { latitude, longitude }));
    update();
    map.on('moveend', update);
    return () => {
      map.off('moveend', update);
      area.remove();
    };
  }, [map, latitude, longitude, radius, reach]);

  useEffect(() => {
    if (!map) return;
    const pins = layerGroup().addTo(map);
    const drawn: { place: ShownPlace; host: HTMLElement }[] = [];
    for (const place of places) {
      const isChosen = place.id === chosen;
      const { name } = LOCATION_KINDS[place.location_type];
      const host = document.createElement('span');
      host.ariaHidden = 'true';
      drawn.push({ place, host });
      marker([place.latitude, place.longitude], {
        icon: divIcon({
          className: `map-pin ${isChosen ? 'is-chosen' : ''}`,
          html: host,
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
    setHosts(drawn);
    const name = () => setNamed(namedOn(map, places, chosen));
    name();
    map.on('moveend', name);
    return () => {
      map.off('moveend', name);
      pins.remove();
    };
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

  const [amenityHosts, setAmenityHosts] = useState<{ amenity: Amenity; host: HTMLElement }[]>([]);
  useEffect(() => {
    if (!map) return;
    const pins = layerGroup().addTo(map);
    setAmenityHosts(
      amenities.map((amenity) => {
        const host = document.createElement('span');
        host.ariaHidden = 'true';
        marker([amenity.latitude, amenity.longitude], {
          icon: divIcon({ className: 'map-amenity', html: host, iconSize: [44, 44] }),
          title: amenity.name ?? AMENITY_KINDS[amenity.kind].name,
          riseOnHover: true,
          // Below the places to walk.
          zIndexOffset: -500,
        })
          .on('click keypress', () => onChooseAmenity(amenity.id))
          .addTo(pins);
        return { amenity, host };
      }),
    );
    return () => void pins.remove();
  }, [map, amenities, onChooseAmenity]);

  useEffect(() => {
    if (!map || !here) return;
    const dot = marker([here.latitude, here.longitude], {
      icon: divIcon({ className: 'map-here', iconSize: [20, 20] }),
      interactive: false,
      keyboard: false,
      // Below the pins, whose names it would cover.
      zIndexOffset: -1_000,
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
    <section aria-label="Map">
      <div className="relative isolate">
        <div
          ref={box}
          className="map h-[46dvh] max-h-144 rounded-card border border-line bg-sunken md:h-[calc(100dvh-8rem)]"
        />
        {hosts.map(({ place, host }) => (
          <Pin key={place.id} place={place} host={host} isNamed={named.has(place.id)} />
        ))}
        {amenityHosts.map(({ amenity, host }) => {
          const { Icon } = AMENITY_KINDS[amenity.kind];
          return createPortal(<Icon className="map-amenity-icon" />, host, amenity.id);
        })}
        <div className="pointer-events-none absolute inset-x-0 top-3 z-1000 flex flex-col items-center gap-2 px-17">
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
        {children && <div className="absolute inset-x-2 bottom-8 z-1000">{children}</div>}
      </div>
      {/* Not on the map, where it would cover pins. */}
      <p role="status" className="px-1 pt-1 text-sm text-soft empty:hidden">
        {hasTileErrors && 'The map background can’t be loaded. Place positions are still correct.'}
      </p>
    </section>
  );
}

/** The icon of a place's type in its pin, and its name below. */
function Pin({ place, host, isNamed }: { place: ShownPlace; host: HTMLElement; isNamed: boolean }) {
  const { Icon } = LOCATION_KINDS[place.location_type];
  return createPortal(
    <>
      <Icon className="map-pin-icon" />
      {isNamed && <span className="map-pin-name">{place.name}</span>}
    </>,
    host,
  );
}
