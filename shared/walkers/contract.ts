import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { latitude, longitude } from '../place.ts';

/**
 * Says how many owners walked last week in the town that is nearest to a point, so that newcomers know what to expect. Nothing is told of who or
 * where, and no number below 5. An owner counts from a week after they signed up.
 */
export const countWalkers = endpoint('GET', '/walkers', {
  access: 'public',
  query: z.object({
    latitude: z.coerce.number().pipe(latitude),
    longitude: z.coerce.number().pipe(longitude),
  }),
  answer: z.object({
    /** Null where no town is within 60 miles. */
    town: z.object({ name: z.string(), detail: z.string() }).nullable(),
    /** In the steps of `WALKER_STEPS`; null for fewer. */
    walkers: z.number().int().nullable(),
    attributions: z.array(z.object({ text: z.string(), url: z.url() })),
  }),
  limit: { points: 30, seconds: 60 },
  failure: 'Failed to look up your town',
});
