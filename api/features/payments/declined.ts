import { failedAttempts, type FailedAttempts } from '../../platform/http/failed-attempts.ts';
import type { Services } from '../../platform/services.ts';

/**
 * Limits declined cards, to stop people who test stolen cards.
 * @param name of the limit; one for each kind of payment
 */
export const limitDeclined = (services: Pick<Services, 'limiter'>, name: string): FailedAttempts =>
  failedAttempts(services, {
    name,
    failures: 12,
    failuresUnderAttack: 3,
    seconds: 3_600,
    attackPerHour: 100,
  });
