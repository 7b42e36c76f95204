import { failedAttempts, type FailedAttempts } from '../http/failed-attempts.ts';
import type { Services } from '../services.ts';

/**
 * Keeps off whoever tries stolen cards: they are declined often, and people now and then.
 * @param name of the limit: each kind of payment is counted by itself
 */
export const limitDeclined = (services: Pick<Services, 'limiter'>, name: string): FailedAttempts =>
  failedAttempts(services, {
    name,
    failures: 12,
    failuresUnderAttack: 3,
    seconds: 3_600,
    attackPerHour: 100,
  });
