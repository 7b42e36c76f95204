import { z } from 'zod';
import { readLocation, type ReadLocation } from '#shared/locations/schemas.ts';
import { readCache, writeCache } from '../local-cache.ts';

const NAME = 'opened-places';
const PLACES_MAX = 12;
/** The most helpful tips of each. */
const TIPS_MAX = 20;

const placesOf = (userId: string): ReadLocation[] =>
  readCache(z.array(readLocation), userId, NAME) ?? [];

/** Stores an opened place, so that it can be read offline with its tips and photos; the latest first. */
export function rememberOpened(userId: string, place: ReadLocation): void {
  const others = placesOf(userId).filter(({ id }) => id !== place.id);
  const opened = { ...place, tips: place.tips.slice(0, TIPS_MAX) };
  writeCache(userId, NAME, [opened, ...others].slice(0, PLACES_MAX));
}

/** Forgets a place that is no longer shown. */
export function forgetOpened(userId: string, placeId: string): void {
  const places = placesOf(userId);
  const others = places.filter(({ id }) => id !== placeId);
  if (others.length < places.length) writeCache(userId, NAME, others);
}

/** Returns an opened place as it was then; null if it isn't stored. */
export const openedPlace = (userId: string, placeId: string): ReadLocation | null =>
  placesOf(userId).find(({ id }) => id === placeId) ?? null;
