import { metresBetween } from '#shared/place.ts';
import { RADIUS_METRES, REPEAT_SECONDS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { Live } from './live.ts';

/** Told of each other, people must part so far beyond the radius before they can meet again: no jitter at the edge. */
const PARTED_METRES = RADIUS_METRES + 10;

const pairKey = (a: Live, b: Live) =>
  a.person.user_id < b.person.user_id
    ? `${a.person.user_id} ${b.person.user_id}`
    : `${b.person.user_id} ${a.person.user_id}`;

function together(one: Live, other: Live, at: number): void {
  (one.inside ??= new Map()).set(other, { device: one.from, at });
  (other.inside ??= new Map()).set(one, { device: other.from, at });
}

function apart(one: Live, other: Live): void {
  one.inside?.delete(other);
  other.inside?.delete(one);
}

/** Whether nothing has said for so long that two people are together that each must be notified again. */
const isOver = (one: Live, other: Live, now: number): boolean =>
  now - (one.inside?.get(other)?.at ?? -Infinity) > STALE_SECONDS * 1000;

/**
 * Whether the device by which somebody was with another is the one that we see elsewhere now, or has fallen silent; or was left
 * behind by the one that we see.
 */
function hasLeft(live: Live, other: Live, now: number): boolean {
  const device = live.inside?.get(other)?.device;
  if (device === undefined || device === live.from || !live.devices) return true;
  if (live.devices.isWalking(live.from)) return true;
  return now - live.devices.reportedAt(device) > STALE_SECONDS * 1000;
}

/** Whether two who were told of each other are within the radius by their last positions, too. */
export const areTogether = (live: Live, other: Live): boolean =>
  live.inside?.has(other) === true && metresBetween(live, other) <= RADIUS_METRES;

/** Who was told of whom: once per meeting, and not twice within the repeat window. */
export class Told {
  /** When two people were last told of each other; oldest first. */
  readonly #at = new Map<string, number>();

  /** Whether the two are still together, or were told within the window; even if one was away meanwhile. */
  isRecent(one: Live, other: Live, now: number): boolean {
    if (one.inside?.has(other)) {
      if (!isOver(one, other, now)) return true;
      apart(one, other);
    }
    const at = this.#at.get(pairKey(one, other));
    return at !== undefined && at > now - REPEAT_SECONDS * 1000;
  }

  remember(one: Live, other: Live, at: number): void {
    together(one, other, at);
    const key = pairKey(one, other);
    this.#at.delete(key);
    this.#at.set(key, at);
  }

  /**
   * Notices who is no longer together with somebody who moved. The place of those who stay aside tells nothing of it, nor does that
   * of another device: one that lies at home is not its owner, who is still with them.
   */
  noticeParted(live: Live, now: number): void {
    for (const other of live.inside?.keys() ?? [])
      if (isOver(live, other, now)) apart(live, other);
      else if (live.isAside || other.isAside) continue;
      else if (metresBetween(live, other) <= PARTED_METRES) together(live, other, now);
      else if (hasLeft(live, other, now) && hasLeft(other, live, now)) apart(live, other);
  }

  /** Somebody is not here any more. */
  leave(live: Live): void {
    for (const other of live.inside?.keys() ?? []) other.inside?.delete(live);
  }

  forgetOld(now: number): void {
    for (const [key, at] of this.#at) {
      if (at > now - REPEAT_SECONDS * 1000) break;
      this.#at.delete(key);
    }
  }
}
