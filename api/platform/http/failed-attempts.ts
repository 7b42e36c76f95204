import { setTimeout as pause } from 'node:timers/promises';
import { HttpError } from '#shared/http/http-error.ts';
import type { Limit, Limiter } from './rate-limit.ts';
import type { Network } from './request-origin.ts';
import { waitBriefly } from './wait-briefly.ts';

interface Settings {
  name: string;
  /** Allowed failures of a network within `seconds`. */
  failures: number;
  /** The same during an attack. */
  failuresUnderAttack: number;
  seconds: number;
  /** More failures per hour than this, of all networks, count as an attack. */
  attackPerHour: number;
}

/** Limits guessing of codes or cards, without blocking networks that fail rarely. */
export interface FailedAttempts {
  /**
   * Runs an attempt; it counts as failed from its start until it ends without calling `fail`. During an attack it is
   * delayed.
   * @throws HttpError 429 when this network failed too often, or has too many attempts in progress
   */
  attempt<T>(network: Network, run: (fail: () => void) => Promise<T>): Promise<T>;
}

const SLOWED_MS = 2_000;
/** Concurrent delayed attempts of a network. */
const WAITING_MAX = 4;

/** Counts failures by network, shared by all nodes (decision 251). */
export function failedAttempts(
  { limiter }: { limiter(limit: Limit): Limiter },
  { name, failures, failuresUnderAttack, seconds, attackPerHour }: Settings,
): FailedAttempts {
  const ofNetwork = limiter({ name, points: failures, seconds, shared: true });
  const underAttack = limiter({
    name: `${name}-strict`,
    points: failuresUnderAttack,
    seconds,
    shared: true,
  });
  const ofAll = limiter({
    name: `${name}-all`,
    points: attackPerHour,
    seconds: 3_600,
    shared: true,
  });
  const waiting = new Map<string, number>();

  async function slowDown([network]: Network): Promise<void> {
    const before = waiting.get(network) ?? 0;
    if (before >= WAITING_MAX)
      throw new HttpError(429, 'Too many attempts. Wait a moment and try again.', {
        headers: { 'retry-after': String(SLOWED_MS / 1000) },
      });
    waiting.set(network, before + 1);
    await pause(SLOWED_MS);
    const left = (waiting.get(network) ?? 1) - 1;
    if (left > 0) waiting.set(network, left);
    else waiting.delete(network);
  }

  return {
    async attempt(network, run) {
      // Counted before it runs: parallel attempts must not all see the same count.
      const reserved = [await ofNetwork.reserve(network)];
      let isAttack = false;
      let hasFailed = false;
      async function settle(): Promise<void> {
        if (!hasFailed) for (const release of reserved) await release();
        else {
          if (!isAttack) await underAttack.admits(network);
          await ofAll.admits('all');
        }
      }
      try {
        isAttack = !(await ofAll.hasLeft('all'));
        if (isAttack) {
          reserved.push(await underAttack.reserve(network));
          await slowDown(network);
        }
        return await run(() => (hasFailed = true));
      } finally {
        await waitBriefly(settle());
      }
    },
  };
}
