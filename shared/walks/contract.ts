import { z } from 'zod';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { nearbyUser } from '../proximity/contract.ts';

/** Someone whom the caller met: who, and when to the minute, but never where or at what distance. */
const recentEncounter = nearbyUser
  .pick({ user_id: true, display_name: true, dogs: true })
  .extend({ met_at: z.iso.datetime() });
export type RecentEncounter = z.infer<typeof recentEncounter>;

/**
 * The people whom the caller met in the last 24 hours, the last one first. Without those whom the caller blocked, and without deleted
 * accounts. Those who blocked the caller are shown as they were then.
 */
export const listRecentEncounters = endpoint('GET', '/encounters/recent', {
  access: 'member',
  limit: HEAVY_READ,
  answer: z.object({ encounters: z.array(recentEncounter) }),
  failure: 'Failed to fetch recent encounters',
});
