import { z } from 'zod';
import { placement } from '../ads/contract.ts';
import { endpoint } from '../endpoint.ts';

/** An estimate needs views on this many days. */
export const REACH_DAYS_MIN = 7;
/** An estimate for a listing needs this many other listings, so that it reveals the views of none. */
export const REACH_LISTINGS_MIN = 5;

/** A range in which half of the days, or of the listings, are. */
const reach = z.object({ low: z.number().int(), high: z.number().int() });

/**
 * Estimates the views of an ad from those of the last thirty days: of a timed ad, from its placement at the same time of the day;
 * of a listing, from other listings in thirty days.
 */
export const estimateReach = endpoint('GET', '/advertiser-reach', {
  access: 'public',
  query: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('timed'),
      placement,
      scheduled_start_at: z.iso.datetime({ offset: true }),
    }),
    z.object({ kind: z.literal('local') }),
  ]),
  /** Null: there isn't enough data yet. */
  answer: z.object({ views: reach.nullable() }),
  failure: 'Failed to estimate the views',
});

/** Sizes of the audience that are told apart (decision 60). */
export const AUDIENCE_STEPS = [100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** How many people have access now, at least: one of AUDIENCE_STEPS, or 0 for fewer than the first. */
export const getAudience = endpoint('GET', '/advertiser-audience', {
  access: 'public',
  answer: z.object({ members: z.number().int() }),
  failure: 'Failed to load the audience',
});
