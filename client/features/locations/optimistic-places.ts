import type { FoundLocation, LocationPhoto, LocationTip } from '#shared/locations/schemas.ts';
import { metersBetween, milesOf, type Place } from '#shared/place.ts';
import type { WaitingCall } from '../../platform/sync/outbox/outbox.ts';

/** A place with unsent changes applied and marked. */
export interface ShownPlace extends FoundLocation {
  /** Whether it has unsent changes. */
  isWaiting: boolean;
  /** Whether it hasn't reached the server yet, so that nothing can be added to it. */
  isNew: boolean;
}

/** The ID of an unsent object, until the server assigns one. */
export const pendingId = ({ at }: Pick<WaitingCall, 'at'>): string => `waiting-${at}`;

/** Whether it is the ID of an unsent object. */
export const isWaitingId = (id: string): boolean => id.startsWith('waiting-');

const unchanged = (place: FoundLocation): ShownPlace => ({
  ...place,
  isWaiting: false,
  isNew: false,
});

type Of<N extends WaitingCall['name']> = Extract<WaitingCall, { name: N }>;

function newPlace(call: Of<'locations.create'>, userId: string, from: Place): ShownPlace {
  const { confirm_new: _, ...body } = call.input.body;
  return {
    id: pendingId(call),
    creator_user_id: userId,
    location_type: 'park',
    leash_required: false,
    parking_available: false,
    water_available: false,
    restrooms_available: false,
    opening_hours: null,
    osm_id: null,
    is_public: true,
    ...body,
    off_leash: body.off_leash ?? false,
    fenced: body.fenced ?? false,
    lit: body.lit ?? false,
    description: body.description ?? '',
    address: body.address ?? '',
    is_active: true,
    visit_count: 0,
    average_rating: null,
    tip_count: 0,
    distance_miles: milesOf(metersBetween(from, body)),
    image_key: null,
    tips: [],
    isWaiting: true,
    isNew: true,
  };
}

const newTip = (call: Of<'locations.addTip'>, userId: string): LocationTip => ({
  id: pendingId(call),
  creator_user_id: userId,
  author_name: null,
  tip_type: 'general',
  is_public: true,
  ...call.input.body,
  is_helpful_count: 0,
  is_active: true,
  created_at: new Date(call.at).toISOString(),
});

/** Applies unsent calls to the tips of a place. */
export function tipsWithWaiting<T extends LocationTip>(
  tips: readonly T[],
  waiting: readonly WaitingCall[],
  { placeId, userId }: { placeId: string; userId: string },
): (T | LocationTip)[] {
  let shown: (T | LocationTip)[] = [...tips];
  for (const call of waiting) {
    if (call.name === 'locations.addTip' && call.input.body.location_id === placeId)
      shown = [newTip(call, userId), ...shown];
    else if (call.name === 'locations.editTip') {
      const { params, body } = call.input;
      shown = shown.map((tip) => (tip.id === params.id ? { ...tip, ...body } : tip));
    } else if (call.name === 'locations.removeTip') {
      const { id } = call.input.params;
      shown = shown.filter((tip) => tip.id !== id);
    } else if (call.name === 'locations.voteForTip') {
      const { params, body } = call.input;
      shown = shown.map((tip) => (tip.id === params.id ? voted(tip, body.is_helpful) : tip));
    }
  }
  return shown;
}

/** Applies unsent calls to the photos of a place. */
export function photosWithWaiting(
  photos: readonly LocationPhoto[],
  waiting: readonly WaitingCall[],
): LocationPhoto[] {
  const removed = new Set<string>();
  for (const call of waiting)
    if (call.name === 'locations.removePhoto') removed.add(call.input.params.id);
  return photos.filter(({ id }) => !removed.has(id));
}

/** Returns the user's rating of a place with unsent calls applied; null without one. */
export function ratingWithWaiting(
  rating: number | null,
  waiting: readonly WaitingCall[],
  placeId: string,
): number | null {
  let shown = rating;
  for (const call of waiting) {
    if (call.name === 'locations.rate' && call.input.params.id === placeId)
      shown = call.input.body.rating;
    else if (call.name === 'locations.withdrawRating' && call.input.params.id === placeId)
      shown = null;
  }
  return shown;
}

/** Applies a vote, if it's known whether the count includes the user's own. */
function voted<T extends LocationTip>(tip: T, is_helpful: boolean): T {
  if (!('is_helpful' in tip) || tip.is_helpful === is_helpful) return tip;
  const is_helpful_count = tip.is_helpful_count + (is_helpful ? 1 : -1);
  return { ...tip, is_helpful, is_helpful_count };
}

/**
 * Applies unsent calls to the found places.
 * @param from the center of the search
 */
export function withWaiting(
  found: readonly FoundLocation[],
  waiting: readonly WaitingCall[],
  { userId, from }: { userId: string; from: Place },
): ShownPlace[] {
  let places = found.map(unchanged);
  const change = (id: string, to: (place: ShownPlace) => ShownPlace) => {
    places = places.map((place) => (place.id === id ? { ...to(place), isWaiting: true } : place));
  };
  const made: ShownPlace[] = [];
  for (const call of waiting)
    switch (call.name) {
      case 'locations.create': {
        const { name, latitude, longitude } = call.input.body;
        // If it was sent a moment ago, the answer may already include it.
        const isThere = found.some(
          (place) =>
            place.creator_user_id === userId &&
            place.name === name &&
            metersBetween(place, { latitude, longitude }) < 1,
        );
        if (!isThere) made.push(newPlace(call, userId, from));
        break;
      }
      case 'locations.update': {
        const { params, body } = call.input;
        const { description, address, ...fields } = body;
        change(params.id, (place) => ({
          ...place,
          ...fields,
          off_leash: fields.off_leash ?? place.off_leash,
          fenced: fields.fenced ?? place.fenced,
          lit: fields.lit ?? place.lit,
          description: description ?? '',
          address: address ?? '',
        }));
        break;
      }
      case 'locations.remove': {
        const { id } = call.input.params;
        places = places.filter((place) => place.id !== id);
        break;
      }
      case 'locations.addTip':
        change(call.input.body.location_id, (place) => ({
          ...place,
          tip_count: place.tip_count + 1,
        }));
        break;
      case 'locations.rate':
      case 'locations.withdrawRating':
        change(call.input.params.id, (place) => place);
        break;
      case 'locations.visit':
        change(call.input.body.location_id, (place) => place);
        break;
      default:
    }
  return [...made, ...places];
}
