import { expect, test } from 'vitest';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';
import { NO_OFFSET } from './no-offset.ts';

const person = (user_id: string): Person => ({
  user_id,
  display_name: user_id,
  dogs: [{ name: 'Rex', sound_type: 'leash_off', image_key: null }],
  blocked: new Set(),
});

/** The engine on simulated time. `at` reports a person in meters north of the center, with a sequence number. */
function park() {
  const time = new Simulation();
  const engine = new EncounterEngine({
    now: time.now,
    after: time.after,
    offsetOf: () => () => NO_OFFSET,
    onEncounter: () => {},
    requestReport: () => {},
  });
  const at = (who: string, north: number, device?: string, sequence?: number) =>
    engine.report(person(who), { ...placeOf({ east: 0, north }), device, sequence });
  let visitors = 0;
  /** The people whom a short-time visitor sees. */
  const seenAt = (north: number) => {
    const visitor = `visitor ${(visitors += 1)}`;
    const ids = at(visitor, north).nearbyUsers.map(({ user_id }) => user_id);
    engine.remove(visitor);
    return ids;
  };
  return { time, engine, at, seenAt };
}

test('a delayed report does not move a person back', async () => {
  const { at, seenAt, time } = park();
  at('ann', -60, 'phone', 1);
  await time.run(20_000);
  at('ann', 60, 'phone', 3);
  await time.run(20_300);
  expect(at('ann', 0, 'phone', 2)).toEqual({ nearbyUsers: [], next_update_seconds: 30 });
  at('ann', 60, 'phone', 3);
  expect([seenAt(0), seenAt(60)]).toEqual([[], ['ann']]);
  at('ann', 0, 'phone', 4);
  expect(seenAt(0)).toEqual(['ann']);
});

test('a restarted tracker counts from the start, also beside an older one', async () => {
  const { at, seenAt, time } = park();
  at('ann', 0, 'before', 900);
  await time.run(10_000);
  at('ann', 60, 'restarted', 0);
  expect(seenAt(60)).toEqual(['ann']);
  at('ann', 0, 'before', 899);
  expect(seenAt(60)).toEqual(['ann']);
  at('ann', 0, 'before', 901);
  at('ann', 60, 'restarted', 0);
  expect(seenAt(0)).toEqual(['ann']);
});

test('a report sent before its owner stopped sharing does not bring them back', async () => {
  const { at, seenAt, engine, time } = park();
  at('ann', 0, 'phone', 1);
  engine.ignoreUpTo({ device: 'phone', sequence: 3 });
  engine.remove('ann');
  at('ann', 0, 'phone', 2);
  expect(engine.user('ann')).toBeUndefined();
  await time.run(STALE_SECONDS * 1000 - 1000);
  at('bob', 500, 'other', 1);
  engine.remove('bob');
  at('ann', 0, 'phone', 2);
  expect(seenAt(0)).toEqual([]);
  at('ann', 0, 'phone', 4);
  expect(seenAt(0)).toEqual(['ann']);
});

test('accepts unnumbered reports in the order they arrive', async () => {
  const { at, seenAt, time } = park();
  at('ann', 60, 'phone', 5);
  await time.run(10_000);
  at('ann', 0);
  expect(seenAt(0)).toEqual(['ann']);
  at('ann', 60, 'phone');
  at('ann', 0, 'phone');
  expect(seenAt(0)).toEqual(['ann']);
});
