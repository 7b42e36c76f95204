import { z } from 'zod';
import type { WalkLocation } from '#shared/locations/schemas.ts';
import { latitude, longitude, metersBetween, type Place } from '#shared/place.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';

const NAME = 'leash-places';
const MOST = 200;
/** About the size of a park, whose coordinates are usually its center. */
const WITHIN_METERS = 300;
const cached = z.array(z.object({ id: z.string(), name: z.string(), latitude, longitude }));
type LeashPlace = z.infer<typeof cached>[number];

/** The places of the last user who was asked about; every position asks. */
let known: { userId: string; places: LeashPlace[] } | null = null;
// Another tab has searched places, or the user has signed out.
globalThis.addEventListener?.('storage', () => (known = null));

function placesOf(userId: string): LeashPlace[] {
  if (known?.userId !== userId) known = { userId, places: readCache(cached, userId, NAME) ?? [] };
  return known.places;
}

/** Remembers on this device which of these places require leashes. */
export function rememberLeashPlaces(
  userId: string,
  places: readonly Pick<WalkLocation, keyof LeashPlace | 'leash_required'>[],
): void {
  const ids = new Set(places.map(({ id }) => id));
  const found = places.filter((place) => place.leash_required);
  const others = placesOf(userId).filter(({ id }) => !ids.has(id));
  if (found.length === 0 && others.length === placesOf(userId).length) return;
  const all = [...found.map(pick), ...others].slice(0, MOST);
  known = { userId, places: all };
  writeCache(userId, NAME, all);
}

const pick = ({ id, name, latitude: lat, longitude: lon }: LeashPlace): LeashPlace => ({
  id,
  name,
  latitude: lat,
  longitude: lon,
});

/** Returns the name of the nearest known place that requires leashes and may reach to here; null if there is none. */
export function leashPlaceAt(userId: string, here: Place): string | null {
  let nearest: { name: string; meters: number } | null = null;
  for (const place of placesOf(userId)) {
    const meters = metersBetween(place, here);
    if (meters <= Math.min(WITHIN_METERS, nearest?.meters ?? Infinity))
      nearest = { name: place.name, meters };
  }
  return nearest?.name ?? null;
}
