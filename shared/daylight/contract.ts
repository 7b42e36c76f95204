import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Says whether the server’s clock is between 6:00 and 20:00 UTC. */
export const readDaylight = endpoint('GET', '/daylight', {
  access: 'member',
  answer: z.object({ is_day: z.boolean() }),
  limit: { points: 60, seconds: 60 },
  failure: 'Failed to look up the daylight',
});
