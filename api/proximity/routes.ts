import { dropLocation, reportLocation } from '#shared/proximity/contract.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { heldProximity } from './held.ts';
import { keepLookout, type Lookout } from './lookout.ts';
import { openMeetings } from './meetings.ts';
import { StrangerBudget } from './stranger-budget.ts';

/**
 * Position reports, and the events that tell of meetings.
 * @returns who is where, for the features of the api that must know
 */
export function mountProximity(api: Api): Pick<Lookout, 'everybody'> {
  const { services } = api;
  const meetings = openMeetings(services.database);
  const strangers = new StrangerBudget(services);
  services.sweep('stranger sightings', () => strangers.sweep());
  const lookout = keepLookout(services, meetings, strangers);
  services.holdings.add(heldProximity(lookout, meetings, strangers));
  // Once a second is the fastest rhythm; trying out positions to find where somebody is takes more.
  const reports = services.limiter({ name: 'location', points: 120, seconds: 60 });

  serve(api, reportLocation, async ({ caller, body }) => {
    await reports(caller.user._id);
    return lookout.report(caller, body);
  });

  serve(api, dropLocation, async ({ caller, query }) => {
    await reports(caller.user._id);
    await lookout.leave(caller, query);
    return {};
  });

  return lookout;
}
