import { answerEncounter, dropLocation, reportLocation } from '#shared/proximity/contract.ts';
import { ANSWER_SECONDS, ANSWERS_MAX } from '#shared/proximity/rules.ts';
import { mayPass } from '#shared/server/collections.ts';
import { liveSessions } from '#shared/session/rules.ts';
import { runIsolated } from '../../platform/for-each-isolated.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import { sessions, users } from '../../platform/session/collections.ts';
import { createAnswers } from './answers.ts';
import { createAnonymousIds } from './engine/anonymous-id.ts';
import { createOffsets } from './engine/coarse-location.ts';
import { proximityPersonalData } from './personal-data.ts';
import { ProximityService } from './proximity-service.ts';
import { createSilentWalks } from './silent-walks.ts';
import { createEncounterStore } from './storage/encounter-store.ts';
import { createPositionStore } from './storage/position-store.ts';
import { createProfileCache } from './storage/profile-cache.ts';
import { StrangerBudget } from './storage/stranger-budget.ts';

const STALE_CHECK_MS = 5_000;

declare module '../../platform/services.ts' {
  interface Offers {
    /** Who is where. */
    proximity: Pick<ProximityService, 'positions' | 'positionsOf'>;
  }
}

/** Mounts the position reports, and the events that notify of encounters. Offers positions to other features. */
export function mountProximity(api: Api): void {
  const { services } = api;
  const encounters = createEncounterStore(services.db);
  const warnings = services.metrics.histogram(
    'warning_distance_feet',
    'Pairs of walkers that were warned of each other, and how far apart they were.',
    { buckets: [20, 40, 60, 80, 100] },
  );
  const strangers = new StrangerBudget(services);
  services.registerJob('stranger sightings', () => strangers.runJob());
  services.registerJob('stranger budgets', async () => strangers.forgetPast(), {
    onEveryNode: true,
  });
  const positions = createPositionStore(services.db);
  const notifySilentWalks = createSilentWalks(services);
  services.registerJob(
    'stale positions',
    () => runIsolated([notifySilentWalks, () => positions.removeAllStale()]),
    { everyMs: STALE_CHECK_MS },
  );
  const offsetsOf = createOffsets(services.env.SYNC_SECRET);
  const profiles = createProfileCache(services.db, services.signals);
  const proximity = new ProximityService({
    ...services,
    clock: {
      now: () => performance.now(),
      wall: () => Date.now(),
      after(milliseconds, run) {
        const timer = setTimeout(run, milliseconds).unref();
        return () => clearTimeout(timer);
      },
    },
    positions,
    profiles,
    encounters: {
      ...encounters,
      record(row) {
        warnings.observe(row.distance_feet);
        return encounters.record(row);
      },
    },
    strangers,
    hasAccess: (userId, sessionId) => hasAccess(services, userId, sessionId),
    offsetOf: (userId) => offsetsOf(userId, Date.now),
    anonymousIdOf: createAnonymousIds(services.env.SYNC_SECRET, Date.now),
  });
  services.onClose(() => proximity.close());
  services.metrics.gauge('walkers', 'People who report their position to this node.', () =>
    count(proximity.positions()),
  );
  services.personalData.add(proximityPersonalData(proximity, encounters, strangers));
  // The fastest cadence is once a second; probing positions to locate a user takes more reports.
  const limit = services.limiter({ name: 'location', points: 120, seconds: 60 });

  serve(api, reportLocation, async ({ caller, body }) => {
    await limit(caller.user._id);
    return proximity.report(caller, body);
  });

  const answer = createAnswers({ positions, profiles, encounters, events: services.events });
  const limitAnswers = services.limiter({
    name: 'encounter-answers',
    points: ANSWERS_MAX,
    seconds: ANSWER_SECONDS,
  });
  serve(api, answerEncounter, async ({ caller, body }) => {
    await limit(caller.user._id);
    await limitAnswers(`${caller.user._id} ${body.user_id}`);
    await answer(caller.user._id, body);
    return {};
  });

  serve(api, dropLocation, async ({ caller, query }) => {
    await limit(caller.user._id);
    await proximity.leave(caller, query);
    return {};
  });

  api.offers.proximity = {
    positions: () => proximity.positions(),
    positionsOf: (userIds) => proximity.positionsOf(userIds),
  };
}

function count(items: Iterable<unknown>): number {
  let total = 0;
  for (const _ of items) total++;
  return total;
}

async function hasAccess({ db }: Services, userId: string, sessionId: string): Promise<boolean> {
  const now = new Date();
  const user = await users(db).findOne({ _id: userId });
  if (!user || !mayPass(user, now)) return false;
  const session = {
    user_id: userId,
    ...liveSessions(user, now),
    ...(sessionId && { _id: sessionId }),
  };
  return (await sessions(db).findOne(session)) !== null;
}
