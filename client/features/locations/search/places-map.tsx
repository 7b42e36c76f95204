import {
  circle,
  divIcon,
  latLng,
  latLngBounds,
  layerGroup,
  marker,
  type LatLng,
  type LatLngBounds,
  type Map,
} from 'leaflet';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Amenity } from '#shared/amenities/contract.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import { useLeafletMap } from '../../../platform/map/use-leaflet-map.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { OsmAttribution } from '../../geocoder/osm-attribution.tsx';
import type { ShownHazard } from '../../hazards/use-hazards.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { AMENITY_KINDS, LOCATION_KINDS } from '../place-types.ts';

/** Zoom level from which a place's surroundings are visible. */
const CLOSE_ZOOM = 14;

/** The map first shows so many of the nearest places; farther ones are found by moving it. */
const SHOWN_AT_FIRST = 8;
/** The size of a pin, and about that of its name below it, in pixels. */
const PIN = { width: 32, height: 38 };
const NAME = { letter: 7, max: 120, height: 16 };
/** Where a name is, the usual first. */
const SIDES = ['below', 'right', 'left', 'above'] as const;
type Side = (typeof SIDES)[number];
/** The point of the pin, seen from the top left corner of the name. */
const ANCHORS: Record<Side, [x: number, y: number]> = {
  below: [NAME.max / 2, 0],
  above: [NAME.max / 2, PIN.height + NAME.height],
  right: [-PIN.width / 2, (PIN.height + NAME.height) / 2],
  left: [NAME.max + PIN.width / 2, (PIN.height + NAME.height) / 2],
};
/** Half of what a hazard or the user’s dot covers. */
const MARK = 16;

type Box = [left: number, top: number, right: number, bottom: number];
const overlap = (a: Box, b: Box): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/**
 * Returns the places whose names cover no other pin and no other name, and where the names are: below the pins, or beside or
 * above where something else is below. The first places come first.
 * @param others where hazards and the user are
 */
function namedOn(
  map: Map,
  places: readonly ShownPlace[],
  others: readonly Place[],
  chosen: string | null,
): { place: ShownPlace; side: Side }[] {
  const pointOf = ({ latitude, longitude }: Place) =>
    map.latLngToContainerPoint([latitude, longitude]);
  const pins = places.map((place) => {
    const { x, y } = pointOf(place);
    const width = Math.min(place.name.length * NAME.letter, NAME.max);
    const [half, beside] = [width / 2, PIN.width / 2];
    const middle = y - PIN.height / 2 - NAME.height / 2;
    const top = y - PIN.height;
    const pin: Box = [x - PIN.width / 2, top, x + PIN.width / 2, y];
    const labels: Record<Side, Box> = {
      below: [x - half, y, x + half, y + NAME.height],
      above: [x - half, top - NAME.height, x + half, top],
      right: [x + beside, middle, x + beside + width, middle + NAME.height],
      left: [x - beside - width, middle, x - beside, middle + NAME.height],
    };
    return { place, pin, labels };
  });
  const marks = others.map((at): Box => {
    const { x, y } = pointOf(at);
    return [x - MARK, y - MARK, x + MARK, y + MARK];
  });
  const named: { place: ShownPlace; side: Side }[] = [];
  const taken: Box[] = [];
  for (const { place, labels } of pins) {
    const isFree = (side: Side) =>
      !taken.some((box) => overlap(box, labels[side])) &&
      !pins.some(({ place: { id }, pin }) => id !== place.id && overlap(pin, labels[side]));
    const isClear = (side: Side) =>
      isFree(side) && !marks.some((box) => overlap(box, labels[side]));
    const side = SIDES.find(isClear) ?? SIDES.find(isFree);
    if (!side && place.id !== chosen) continue;
    named.push({ place, side: side ?? 'below' });
    taken.push(labels[side ?? 'below']);
  }
  return named;
}

/** The least that is shown around a place, so that its streets are visible. */
const SHOWN_MIN_METERS = 800;
/** Room for a pin and its name at each edge, in pixels. */
const EDGE = { top: 60, side: 40, bottom: 40 };
/** What the card of a tapped place covers at the bottom of a map that is not wider. */
const CARD = { height: 180, within: 500 };

/**
 * Returns what the map first shows: the nearest places, the user if they are among them, and the chosen place; without any, the
 * area of the search.
 */
function firstView(
  places: readonly ShownPlace[],
  from: Place,
  radius: number,
  { here, chosen }: { here: Place | null; chosen: string | null },
): LatLngBounds {
  const limit = radius * METERS_PER_MILE;
  const center = latLng(from.latitude, from.longitude);
  const away = (at: Place) => center.distanceTo([at.latitude, at.longitude]);
  const nearest = places
    .filter((place) => away(place) <= limit)
    .toSorted((a, b) => away(a) - away(b))
    .slice(0, SHOWN_AT_FIRST);
  const linked = places.filter(({ id }) => id === chosen);
  const shown = [...nearest, ...linked, ...(here && away(here) <= limit ? [here] : [])];
  if (nearest.length + linked.length === 0) return center.toBounds(2 * limit);
  const bounds = latLngBounds(shown.map((at) => [at.latitude, at.longitude]));
  return bounds.extend(bounds.getCenter().toBounds(SHOWN_MIN_METERS));
}

/** @param from the center of the first view */
const moved = (map: Map, from: LatLng): boolean => !map.getBounds().pad(-0.35).contains(from);

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
  /** The center of the first view, moved along with what the map itself moves later. */
  const start = useRef<LatLng | null>(null);
  /** The element of each pin, which React draws into. */
  const [hosts, setHosts] = useState<{ place: ShownPlace; host: HTMLElement }[]>([]);

  const { latitude, longitude } = from;
  // What is chosen later doesn't move the map.
  const [linked] = useState(chosen);
  const view = firstView(places, from, radius, { here, chosen: linked }).toBBoxString();
  useEffect(() => {
    if (!map) return;
    const [west = 0, south = 0, east = 0, north = 0] = view.split(',').map(Number);
    map.fitBounds(
      [
        [south, west],
        [north, east],
      ],
      {
        animate: false,
        paddingTopLeft: [EDGE.side, EDGE.top],
        paddingBottomRight: [EDGE.side, EDGE.bottom],
      },
    );
    start.current = map.getCenter();
    const area = circle([latitude, longitude], {
      radius: radius * METERS_PER_MILE,
      className: 'map-area',
      interactive: false,
    }).addTo(map);
    const update = () => setElsewhere(start.current !== null && moved(map, start.current));
    update();
    map.on('moveend', update);
    return () => {
      map.off('moveend', update);
      area.remove();
    };
  }, [map, latitude, longitude, radius, view]);

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
    return () => void pins.remove();
  }, [map, places, chosen, onChoose]);

  useEffect(() => {
    if (!map) return;
    const names = layerGroup().addTo(map);
    const others = [...hazards, ...(here ? [here] : [])];
    const write = () => {
      names.clearLayers();
      for (const { place, side } of namedOn(map, places, others, chosen)) {
        const html = document.createElement('span');
        html.className = 'map-name-text';
        html.textContent = place.name;
        html.ariaHidden = 'true';
        const icon = divIcon({
          className: `map-name is-${side}`,
          html,
          iconSize: [NAME.max, NAME.height],
          iconAnchor: ANCHORS[side],
        });
        marker([place.latitude, place.longitude], {
          icon,
          interactive: false,
          keyboard: false,
          // Above hazards and the user's dot.
          zIndexOffset: 2_000,
        }).addTo(names);
      }
    };
    write();
    map.on('moveend', write);
    return () => {
      map.off('moveend', write);
      names.remove();
    };
  }, [map, places, hazards, here, chosen]);

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
    const before = map.getCenter();
    // At once, so that what the user moves can be told apart.
    if (!map.getBounds().contains([lat, lng]))
      map.setView([lat, lng], Math.max(map.getZoom(), CLOSE_ZOOM - 2), { animate: false });
    const { x: width } = map.getSize();
    map.panInside([lat, lng], {
      animate: false,
      paddingTopLeft: [EDGE.side, EDGE.top],
      paddingBottomRight: [EDGE.side, width > CARD.within ? EDGE.bottom : CARD.height],
    });
    if (!start.current) return;
    const after = map.getCenter();
    start.current = latLng(
      start.current.lat + after.lat - before.lat,
      start.current.lng + after.lng - before.lng,
    );
    setElsewhere(moved(map, start.current));
  }, [map, at]);

  return (
    <section aria-label="Map">
      <div className="relative isolate">
        <div
          ref={box}
          className="map h-[46dvh] max-h-144 rounded-card border border-line bg-sunken md:h-[calc(100dvh-25rem)] md:min-h-72"
        />
        {hosts.map(({ place, host }) => (
          <Pin key={place.id} place={place} host={host} />
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
      {/* Tiles may come from somebody else. */}
      {amenities.length > 0 && <OsmAttribution />}
    </section>
  );
}

/** The icon of a place's type in its pin. */
function Pin({ place, host }: { place: ShownPlace; host: HTMLElement }) {
  const { Icon } = LOCATION_KINDS[place.location_type];
  return createPortal(<Icon className="map-pin-icon" />, host);
}
