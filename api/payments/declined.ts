import type { Network } from '../origin.ts';
import type { Services } from '../services.ts';

/** Keeps off whoever tries stolen cards: they are declined often, and people now and then. */
export interface DeclinedLimit {
  /** @throws Refusal 429 when too many were declined within an hour, of this network or of all */
  check(network: Network): Promise<void>;
  /** Counts a payment that was declined. */
  count(network: Network): Promise<void>;
}

/** @param name of the limit: each kind of payment is counted by itself */
export function limitDeclined({ limiter }: Pick<Services, 'limiter'>, name: string): DeclinedLimit {
  const hourly = { seconds: 3_600, shared: true };
  const ofNetwork = limiter({ name, points: 12, ...hourly });
  const ofAll = limiter({ name: `${name}-all`, points: 300, ...hourly });
  return {
    async check(network) {
      await ofNetwork.check(network);
      await ofAll.check('all');
    },
    async count(network) {
      await Promise.all([ofNetwork(network), ofAll('all')]);
    },
  };
}
