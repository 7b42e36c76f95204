import { metersBetween } from '#shared/place.ts';
import { RADIUS_METERS, REPEAT_SECONDS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { ActiveUser } from './active-user.ts';

/** How far two notified users must be apart before they can meet again: more than the radius, so that jitter at its edge does not count. */
const SEPARATED_METERS = RADIUS_METERS + 10;

const pairKey = (a: ActiveUser, b: ActiveUser) =>
  a.person.user_id < b.person.user_id
    ? `${a.person.user_id} ${b.person.user_id}`
    : `${b.person.user_id} ${a.person.user_id}`;

function joinPair(one: ActiveUser, other: ActiveUser, at: number): void {
  (one.companions ??= new Map()).set(other, { device: one.device, at });
  (other.companions ??= new Map()).set(one, { device: other.device, at });
}

function separatePair(one: ActiveUser, other: ActiveUser): void {
  one.companions?.delete(other);
  other.companions?.delete(one);
}

/** Whether it was so long ago that positions confirmed two users as being together that both must be notified again. */
const isExpired = (one: ActiveUser, other: ActiveUser, now: number): boolean =>
  now - (one.companions?.get(other)?.at ?? -Infinity) > STALE_SECONDS * 1000;

/**
 * Whether the device by which a user was with another one has left: it is the one that reports elsewhere now, it is silent, or the user
 * carries another one and left it behind.
 */
function hasLeft(user: ActiveUser, other: ActiveUser, now: number): boolean {
  const device = user.companions?.get(other)?.device;
  if (device === undefined || device === user.device || !user.devices) return true;
  if (user.devices.isCarried(user.device)) return true;
  return now - user.devices.reportedAt(device) > STALE_SECONDS * 1000;
}

/** Remembers which users were notified of each other: once per encounter, and not twice within the repeat window. */
export class NotifiedPairs {
  /** When each pair was last notified, oldest first. */
  readonly #at = new Map<string, number>();

  /** Whether two users are still together, or were notified within the window, even if one stopped sharing in between. */
  isRecent(one: ActiveUser, other: ActiveUser, now: number): boolean {
    if (one.companions?.has(other)) {
      if (!isExpired(one, other, now)) return true;
      separatePair(one, other);
    }
    const at = this.#at.get(pairKey(one, other));
    return at !== undefined && at > now - REPEAT_SECONDS * 1000;
  }

  add(one: ActiveUser, other: ActiveUser, at: number): void {
    joinPair(one, other, at);
    const key = pairKey(one, other);
    this.#at.delete(key);
    this.#at.set(key, at);
  }

  /**
   * Separates a user who moved from those with whom they are no longer together. Ineligible positions are skipped, and so is
   * the position of another device, which may lie at home while its owner is still with them.
   */
  separate(user: ActiveUser, now: number): void {
    for (const other of user.companions?.keys() ?? [])
      if (isExpired(user, other, now)) separatePair(user, other);
      else if (user.isIneligible || other.isIneligible) continue;
      else if (metersBetween(user, other) <= SEPARATED_METERS) joinPair(user, other, now);
      else if (hasLeft(user, other, now) && hasLeft(other, user, now)) separatePair(user, other);
  }

  remove(user: ActiveUser): void {
    for (const other of user.companions?.keys() ?? []) other.companions?.delete(user);
  }

  removeExpired(now: number): void {
    for (const [key, at] of this.#at) {
      if (at > now - REPEAT_SECONDS * 1000) break;
      this.#at.delete(key);
    }
  }
}
