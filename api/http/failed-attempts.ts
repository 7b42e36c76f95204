import { setTimeout as pause } from 'node:timers/promises';
import type { Network } from './request-origin.ts';
import type { Limit, Limiter } from './rate-limit.ts';
import { HttpError } from './http-error.ts';

interface Settings {
  name: string;
  /** How often a network may fail within the seconds. */
  failures: number;
  /** The same while attempts fail everywhere. */
  failuresUnderAttack: number;
  seconds: number;
  /** Beyond so many failures an hour, of everybody, this is taken for an attack. */
  attackPerHour: number;
}

/** Slows down whoever tries many of something, such as codes or cards, without refusing those who fail seldom. */
export interface FailedAttempts {
  /**
   * Runs an attempt, which counts from its start unless it ends without calling `fail`; during an attack it takes a while.
   * @throws HttpError 429 when this network failed too often, or has as many attempts running
   */
  attempt<T>(network: Network, run: (fail: () => void) => Promise<T>): Promise<T>;
}

const SLOWED_MS = 2_000;
/** Attempts of a network that wait at the same time. */
const WAITING_MAX = 4;

/** Counts failures of networks for all nodes (decision 251). */
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
      throw new HttpError(429, 'Too many attempts. Please wait a moment and try again.', {
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
      try {
        isAttack = !(await ofAll.hasLeft('all'));
        if (isAttack) {
          reserved.push(await underAttack.reserve(network));
          await slowDown(network);
        }
        return await run(() => (hasFailed = true));
      } finally {
        if (!hasFailed) for (const release of reserved) await release();
        else {
          if (!isAttack) await underAttack.admits(network);
          await ofAll.admits('all');
        }
      }
    },
  };
}
