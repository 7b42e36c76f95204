import { z } from 'zod';
import { HOUR_MS } from '#shared/time.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';

const NAME = 'walk-silences';
/** Longer than any walk: the app may have been closed when it ended. */
const EXPIRES_MS = 12 * HOUR_MS;
const stored = z.object({
  silenced: z.array(z.string()),
  asked: z.array(z.string()),
  /** When it was stored, in milliseconds since 1970. */
  at: z.number(),
});

/** Whom the owner walks with: whose alerts are silenced until this walk ends. Stored on this device. */
export class WalkSilences {
  readonly #userId: string;
  readonly #silenced: Set<string>;
  readonly #asked: Set<string>;

  constructor(userId: string) {
    this.#userId = userId;
    const before = readCache(stored, userId, NAME);
    const isCurrent = before !== null && Math.abs(Date.now() - before.at) < EXPIRES_MS;
    this.#silenced = new Set(isCurrent ? before.silenced : []);
    this.#asked = new Set(isCurrent ? before.asked : []);
  }

  has(userId: string): boolean {
    return this.#silenced.has(userId);
  }

  /** Whether the owner was asked about a user, or has silenced them without being asked. */
  wasAsked(userId: string): boolean {
    return this.#asked.has(userId);
  }

  set(userId: string, isSilenced: boolean): void {
    if (isSilenced) this.#silenced.add(userId);
    else this.#silenced.delete(userId);
    this.setAsked(userId);
  }

  setAsked(userId: string): void {
    this.#asked.add(userId);
    const [silenced, asked] = [[...this.#silenced], [...this.#asked]];
    writeCache(this.#userId, NAME, { silenced, asked, at: Date.now() });
  }

  /** Forgets everything: the walk has ended. */
  clear(): void {
    this.#silenced.clear();
    this.#asked.clear();
    writeCache(this.#userId, NAME, null);
  }
}
