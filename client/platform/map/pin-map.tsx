import { circle, divIcon, latLng, marker, type Marker } from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import { useLeafletMap } from './use-leaflet-map.ts';

const CLOSE_ZOOM = 16;
const WORLD_ZOOM = 2;
/** The streets around a point. */
const VIEW_ZOOM = 14;
/** In pixels, so that a step is as large as it looks; larger with Shift. */
const STEP = 8;
const LARGE_STEP = 64;
const STEPS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A map with one pin, which is dragged, moved with the arrow keys, or set by a click on the map; or shown only. */
export default function PinMap({
  pin,
  view = null,
  radiusMiles,
  label,
  onMove,
}: {
  /** Null: not set yet. */
  pin: Place | null;
  /** What the map shows before the pin is set; the world if null. */
  view?: Place | null | undefined;
  /** Shows the area around the pin. */
  radiusMiles?: number | undefined;
  label: string;
  /** Null: the pin stays. */
  onMove: ((place: Place) => void) | null;
}) {
  const isMovable = onMove !== null;
  const box = useRef<HTMLDivElement>(null);
  const { map, hasTileErrors } = useLeafletMap(box);
  const [drawn, setDrawn] = useState<Marker | null>(null);
  const move = useRef(onMove);
  useEffect(() => {
    move.current = onMove;
  });
  const start = useRef(
    view === null
      ? { at: latLng(0, 0), zoom: WORLD_ZOOM }
      : { at: latLng(view.latitude, view.longitude), zoom: VIEW_ZOOM },
  );
  const hasPin = pin !== null;
  const { latitude = 0, longitude = 0 } = pin ?? {};

  useEffect(() => {
    if (!map) return;
    const { at, zoom } = start.current;
    map.setView(at, zoom, { animate: false });
    map.on('click', ({ latlng }) => {
      const { lat, lng } = latlng.wrap();
      move.current?.({ latitude: lat, longitude: lng });
    });
    return () => void map.off('click');
  }, [map]);

  useEffect(() => {
    if (!map || !hasPin) return;
    const made = marker([0, 0], {
      draggable: isMovable,
      keyboard: isMovable,
      autoPan: true,
      title: label,
      alt: label,
      icon: divIcon({ className: 'map-pin is-chosen', iconSize: [44, 44], iconAnchor: [22, 40] }),
    }).addTo(map);
    const report = () => {
      const { lat, lng } = made.getLatLng().wrap();
      move.current?.({ latitude: lat, longitude: lng });
    };
    made.on('dragend', report);
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (!step || !isMovable) return;
      // The map would scroll.
      event.preventDefault();
      event.stopPropagation();
      const pixels = event.shiftKey ? LARGE_STEP : STEP;
      const at = map.latLngToContainerPoint(made.getLatLng());
      made.setLatLng(map.containerPointToLatLng(at.add([step[0] * pixels, step[1] * pixels])));
      report();
    };
    const element = made.getElement();
    element?.addEventListener('keydown', onKey);
    setDrawn(made);
    return () => {
      element?.removeEventListener('keydown', onKey);
      setDrawn(null);
      made.remove();
    };
  }, [map, hasPin, label, isMovable]);

  useEffect(() => {
    if (!map || !drawn) return;
    const at = latLng(latitude, longitude);
    drawn.setLatLng(at);
    const isInView = map.getZoom() >= CLOSE_ZOOM / 2 && map.getBounds().pad(-0.05).contains(at);
    if (isInView) return;
    if (!isMovable && radiusMiles)
      map.fitBounds(at.toBounds(2 * radiusMiles * METERS_PER_MILE), { animate: false });
    else if (map.getZoom() >= CLOSE_ZOOM / 2) map.panTo(at, { animate: false });
    else map.setView(at, CLOSE_ZOOM, { animate: false });
  }, [map, drawn, latitude, longitude, isMovable, radiusMiles]);

  useEffect(() => {
    if (!map || !hasPin || !radiusMiles) return;
    const area = circle([latitude, longitude], {
      radius: radiusMiles * METERS_PER_MILE,
      className: 'map-area',
      interactive: false,
    }).addTo(map);
    return () => void area.remove();
  }, [map, hasPin, latitude, longitude, radiusMiles]);

  return (
    <section aria-label="Map" className="relative isolate">
      <div ref={box} className="map h-72 rounded-card border border-line bg-sunken" />
      <p role="status" className="mt-1.5 text-sm text-soft">
        {hasTileErrors && <span>{'The map background can’t be loaded. '}</span>}
        <span>
          {pin
            ? `Pin at ${latitude.toFixed(5)}, ${longitude.toFixed(5)}.${isMovable ? ' Drag it, or use the arrow keys.' : ''}`
            : 'Select a point on the map, or search for an address.'}
        </span>
      </p>
    </section>
  );
}
