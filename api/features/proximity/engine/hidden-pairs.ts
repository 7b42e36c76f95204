import { MINUTE_MS } from '#shared/time.ts';
import { type ActiveUser, pairKey } from './active-user.ts';

/** A pair is forgotten when it was not seen near each other for this long. */
const REMEMBERED_MS = 10 * MINUTE_MS;

/**
 * The pairs who stopped seeing each other by name while they were near: a warning without a name would tell when the block was. It outlasts
 * pauses of sharing, drives and changes of dogs, with which one of them could ask for the warning (decision 357).
 */
export class HiddenPairs {
  /** When each pair was near each other last, in milliseconds, oldest first. */
  readonly #nearAt = new Map<string, number>();

  has(one: ActiveUser, other: ActiveUser, now: number): boolean {
    if (this.#nearAt.size === 0) return false;
    const at = this.#nearAt.get(pairKey(one, other));
    return at !== undefined && at > now - REMEMBERED_MS;
  }

  /** Notes that a hidden pair, or one that is hidden from now on, is near each other. */
  add(one: ActiveUser, other: ActiveUser, now: number): void {
    const key = pairKey(one, other);
    this.#nearAt.delete(key);
    this.#nearAt.set(key, now);
    for (const [each, at] of this.#nearAt) {
      if (at > now - REMEMBERED_MS) break;
      this.#nearAt.delete(each);
    }
  }

  delete(one: ActiveUser, other: ActiveUser): void {
    this.#nearAt.delete(pairKey(one, other));
  }
}
