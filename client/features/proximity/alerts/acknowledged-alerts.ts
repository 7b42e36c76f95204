import { z } from 'zod';
import { answerPhrase } from '#shared/proximity/contract.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';

// Emergency alerts have `acknowledged-alerts`.
const NAME = 'folded-alerts';
const answer = z.object({ phrase: answerPhrase, at: z.number() }).optional();
const stored = z.array(
  z.object({
    userId: z.string(),
    isUrgent: z.boolean(),
    /** Half of this distance is announced again. */
    feet: z.number(),
    /** When the user was last near, in milliseconds since 1970. */
    seenAt: z.number(),
    /** Whether it is stored for the answers alone. */
    isOpen: z.boolean().optional(),
    answers: z.object({ theirs: answer, own: answer }).optional(),
  }),
);
type Acknowledged = z.infer<typeof stored>[number];

/** The alerts that the owner has acknowledged, and what was answered: stored on this device, so that a reload changes nothing. */
export class AcknowledgedAlerts {
  readonly #userId: string;
  #last = '';

  constructor(userId: string) {
    this.#userId = userId;
  }

  read(): Acknowledged[] {
    return readCache(stored, this.#userId, NAME) ?? [];
  }

  write(alerts: Acknowledged[]): void {
    const next = JSON.stringify(alerts);
    if (next === this.#last) return;
    this.#last = next;
    writeCache(this.#userId, NAME, alerts.length > 0 ? alerts : null);
  }
}
