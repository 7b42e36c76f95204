import { z } from 'zod';
import { createTip } from '#shared/locations/contract.ts';
import { PHOTOS_SHOWN } from '#shared/locations/rules.ts';
import {
  readLocation,
  type LocationPhoto,
  type ReadLocation,
  type ReadTip,
} from '#shared/locations/schemas.ts';
import { queries } from '../../platform/http/query-client.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import type { WaitingCall } from '../../platform/sync/outbox/outbox.ts';
import { photosWithWaiting, ratingWithWaiting, tipsWithWaiting } from './optimistic-places.ts';

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

/** Returns an opened place as it was then, with the user's later changes; null if it isn't stored. */
export const openedPlace = (userId: string, placeId: string): ReadLocation | null =>
  placesOf(userId).find(({ id }) => id === placeId) ?? null;

/** Adds a photo of the user that the server has accepted. */
export function addPhoto(userId: string, placeId: string, photo: LocationPhoto): void {
  change(userId, (place) =>
    place.id === placeId
      ? { ...place, photos: first(photo, place.photos).slice(0, PHOTOS_SHOWN) }
      : place,
  );
}

/**
 * Applies a call of the user that the server has accepted. The place may be closed, so that it isn't read again before the device
 * is offline.
 */
export function applyToOpened(userId: string, call: WaitingCall, answer: unknown): void {
  change(userId, (place) => ({
    ...place,
    own_rating: ratingWithWaiting(place.own_rating, [call], place.id),
    tips: tipsAfter(place, call, answer),
    photos: photosWithWaiting(place.photos, [call]),
  }));
}

function tipsAfter({ id, tips }: ReadLocation, call: WaitingCall, answer: unknown): ReadTip[] {
  if (call.name !== 'locations.addTip')
    // Only added tips lack the reader's vote.
    return tipsWithWaiting(tips, [call], { placeId: id, userId: '' }) as ReadTip[];
  const { data } = createTip.answer.safeParse(answer);
  if (data?.tip.location_id !== id) return tips;
  return first({ ...data.tip, is_helpful: false }, tips).slice(0, TIPS_MAX);
}

/** Puts one first; the server's answer may already include it. */
const first = <T extends { id: string }>(one: T, others: readonly T[]): T[] => [
  one,
  ...others.filter(({ id }) => id !== one.id),
];

function change(userId: string, to: (place: ReadLocation) => ReadLocation): void {
  const places = placesOf(userId);
  if (places.length === 0) return;
  writeCache(userId, NAME, places.map(to));
  // Closed places start from the stored ones when they are opened again.
  for (const { id } of places)
    queries.removeQueries({ queryKey: ['place', userId, id], type: 'inactive' });
}
