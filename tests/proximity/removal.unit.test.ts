import { expect, test } from 'vitest';
import { createSingleNodeBus } from '#shared/bus/bus.ts';
import type { ProximityEventRow } from '../../api/features/proximity/collections.ts';
import {
  type ProximityDependencies,
  ProximityService,
} from '../../api/features/proximity/proximity-service.ts';
import { toRow } from '../../api/features/proximity/storage/position-store.ts';
import { EventStreams } from '../../api/platform/events/event-streams.ts';
import type { Caller } from '../../api/platform/session-cache.ts';
import { personOf } from '../../bench/walkers.ts';
import { NO_OFFSET } from './no-offset.ts';

const here = { latitude: 10, longitude: 20 };
const profileOf = (userId: string) => ({ isSharing: true, person: personOf(userId) });
const caller = (userId: string) => ({ user: { _id: userId }, session: { _id: '' } }) as Caller;

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** A service after a restart: only the database knows where Ann is. A removal and a load wait for `steps`. */
function restarted() {
  const rows = new Map([
    ['ann', { _id: 'ann', ...toRow({ report: here, at: new Date(), sessionId: 'phone' }) }],
  ]);
  const steps = { removed: gate(), read: gate() };
  const began = { removal: gate(), load: gate() };
  const fail = (found: unknown) => {
    throw new Error('logged', { cause: found });
  };
  const service = new ProximityService({
    clock: { now: () => performance.now(), wall: () => Date.now(), after: () => () => {} },
    bus: createSingleNodeBus(),
    events: new EventStreams(createSingleNodeBus()),
    signals: { listen: () => () => {} },
    positions: {
      put: async () => {},
      async remove(userId) {
        began.removal.open();
        await steps.removed.opened;
        rows.delete(userId);
      },
      removeStale: async () => {},
      removeAllStale: async () => {},
      async *inCells() {
        yield [...rows.values()];
      },
      ofUsers: async (userIds) => userIds.flatMap((userId) => rows.get(userId) ?? []),
    },
    profiles: {
      of: async (userId) => profileOf(userId),
      async read(userIds) {
        if (userIds.includes('ann')) {
          began.load.open();
          await steps.read.opened;
        }
        return new Map(userIds.map((userId) => [userId, profileOf(userId)]));
      },
      invalidate() {},
      invalidateAll() {},
    },
    encounters: {
      createRow: () => ({ triggered_at: new Date() }) as ProximityEventRow,
      recentAmong: async () => [],
      after: async () => [],
      since: async () => [],
      record: async () => {},
    } as Partial<ProximityDependencies['encounters']> as ProximityDependencies['encounters'],
    strangers: { mayShow: () => false, settle: async () => false },
    hasAccess: async () => true,
    anonymousIdOf: () => '',
    offsetOf: () => () => NO_OFFSET,
    log: { warn: fail, error: fail },
  });
  return { service, steps, began };
}

test('nobody is shown who stopped sharing while the positions were loaded after a restart', async () => {
  const { service, steps, began } = restarted();
  const removing = service.remove('ann');
  await began.removal.opened;
  const answering = service.report(caller('bob'), here);
  await began.load.opened;
  steps.removed.open();
  await removing;
  steps.read.open();
  expect((await answering).nearbyUsers).toEqual([]);
  service.close();
});
