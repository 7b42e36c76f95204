import { dropLocation, reportLocation } from '#shared/proximity/contract.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { proximityPersonalData } from './personal-data.ts';
import { createProximityService, type ProximityService } from './proximity-service.ts';
import { createEncounterStore } from './storage/encounter-store.ts';
import { StrangerBudget } from './storage/stranger-budget.ts';

/**
 * Mounts the position reports, and the events that notify of encounters.
 * @returns the positions of all users, for other features of the API
 */
export function mountProximity(api: Api): Pick<ProximityService, 'positions'> {
  const { services } = api;
  const encounters = createEncounterStore(services.db);
  const strangers = new StrangerBudget(services);
  services.sweep('stranger sightings', () => strangers.sweep());
  const proximity = createProximityService(services, encounters, strangers);
  services.personalData.add(proximityPersonalData(proximity, encounters, strangers));
  // The fastest cadence is once a second; probing positions to locate a user takes more reports.
  const limit = services.limiter({ name: 'location', points: 120, seconds: 60 });

  serve(api, reportLocation, async ({ caller, body }) => {
    await limit(caller.user._id);
    return proximity.report(caller, body);
  });

  serve(api, dropLocation, async ({ caller, query }) => {
    await limit(caller.user._id);
    await proximity.leave(caller, query);
    return {};
  });

  return proximity;
}
