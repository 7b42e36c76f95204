import 'leaflet/dist/leaflet.css';
import './map.css';
import { useQuery } from '@tanstack/react-query';
import { map as createMap, tileLayer, type Map } from 'leaflet';
import { useEffect, useState, type RefObject } from 'react';
import { getMapTiles } from '#shared/locations/contract.ts';
import { call } from '../http/api.ts';
import { queries } from '../http/query-client.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { useUser } from '../session/use-auth.tsx';

const NAME = 'map-tiles';
const ZOOM_MAX = 19;

/** Returns the map tiles' configuration, cached for offline starts. */
function useTiles() {
  const user = useUser();
  const userId = user?.id ?? '';
  const { data } = useQuery(
    {
      queryKey: ['map-tiles'],
      queryFn: async ({ signal }) => {
        const answer = await call(getMapTiles, { signal });
        writeCache(userId, NAME, answer);
        return answer;
      },
      initialData: () => readCache(getMapTiles.answer, userId, NAME) ?? undefined,
      initialDataUpdatedAt: 0,
    },
    // Pages of advertisers have no provider.
    queries,
  );
  return data?.tiles ?? null;
}

/**
 * Creates a Leaflet map in an element of class `map`, with the configured tiles.
 * @returns null until it exists; `hasTileErrors` without a background, for example offline
 */
export function useLeafletMap(box: RefObject<HTMLElement | null>): {
  map: Map | null;
  hasTileErrors: boolean;
} {
  const [map, setMap] = useState<Map | null>(null);
  const [hasTileErrors, setTileErrors] = useState(false);
  const tiles = useTiles();

  useEffect(() => {
    if (!box.current) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const made = createMap(box.current, {
      maxZoom: ZOOM_MAX,
      minZoom: 2,
      worldCopyJump: true,
      zoomAnimation: !calm,
      fadeAnimation: !calm,
      markerZoomAnimation: !calm,
    });
    const element = made.getContainer();
    // Leaflet focuses it when it is pressed, which would scroll a dialog while a pin is dragged.
    element.focus = () => HTMLElement.prototype.focus.call(element, { preventScroll: true });
    made.attributionControl.setPrefix(false);
    setMap(made);
    return () => {
      setMap(null);
      made.remove();
    };
  }, [box]);

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

  return { map, hasTileErrors };
}
