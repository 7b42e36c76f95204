import { describe, expect, test } from 'vitest';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { Person } from '../../api/proximity/engine/active-user.ts';
import { createAnonymousIds } from '../../api/proximity/engine/anonymous-id.ts';
import { AnonymousWarnings } from '../../api/proximity/engine/anonymous-warnings.ts';
import { EncounterEngine } from '../../api/proximity/engine/encounter-engine.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';
import { NO_OFFSET } from '../proximity/no-offset.ts';

const rex = {
  name: 'Rex',
  sound_type: 'leash_on',
  image_key: 'rex.webp',
  size: 'large',
  notes: ['in_heat', 'deaf'],
} as const;
const bella = { name: 'Bella', sound_type: 'leash_off', image_key: null } as const;
const asPerson = (user_id: string, blocked: string[], dogs: readonly object[]): Person => ({
  user_id,
  display_name: user_id,
  dogs: structuredClone(dogs) as Person['dogs'],
  blocked: new Set(blocked),
});

/** Alex and Sam on simulated time, of whom one blocked the other. `at` reports a person in meters north of the center. */
function park(dogs: readonly object[] = [rex, bella]) {
  const time = new Simulation();
  const met: string[] = [];
  const notified: [viewer: string, other: NearbyUser][] = [];
  const engine = new EncounterEngine({
    now: time.now,
    after: time.after,
    offsetOf: () => () => NO_OFFSET,
    onEncounter: ({ mover, other }) => met.push(`${mover.user_id} ${other.user_id}`),
    onUpdate: (user, blockedBefore) => anonymous.hideNew(user, blockedBefore),
    requestReport: () => {},
  });
  const anonymous = new AnonymousWarnings(engine, {
    now: time.now,
    idOf: createAnonymousIds('a secret', time.now),
    onEntry: (viewer, other) => notified.push([viewer, other]),
  });
  const people = { alex: asPerson('alex', ['sam'], dogs), sam: asPerson('sam', ['alex'], dogs) };
  const at = (who: keyof typeof people, meters: number, device?: string): NearbyUser[] => {
    const place = placeOf({ east: 0, north: meters });
    const order = device === undefined ? {} : { device, sequence: time.now() };
    const report = { ...place, ...order };
    return anonymous.apply(people[who], engine.report(people[who], report)).nearbyUsers;
  };
  return { time, engine, anonymous, people, met, notified, at };
}

describe('two users of whom one blocked the other', () => {
  test('both are warned of one dog without a name, a picture or an id, and no encounter is recorded', () => {
    const { at, met, notified } = park();
    at('alex', 0);
    const seenBySam = at('sam', 10);
    const anonymousDog = {
      display_name: '',
      distance_feet: 250,
      dogs: [{ name: '', sound_type: 'leash_on', image_key: null, notes: ['in_heat'] }],
      is_anonymous: true,
    };
    expect(seenBySam).toEqual([{ ...anonymousDog, user_id: expect.any(String) as string }]);
    expect(notified).toEqual([['alex', { ...anonymousDog, user_id: notified[0]![1].user_id }]]);
    expect(JSON.stringify([seenBySam, notified.map(([, other]) => other)])).not.toMatch(
      /alex|sam|rex|bella|large|deaf/i,
    );
    expect(met).toEqual([]);
  });

  test('a warning is given once while they are near each other, and again after they parted', async () => {
    const { at, notified, time } = park([bella]);
    at('alex', 0);
    for (const meters of [110, 60, 0, 60, 110]) {
      await time.run(time.now() + 20_000);
      at('sam', meters);
    }
    expect(notified).toHaveLength(1);
    await time.run(time.now() + 20_000);
    at('alex', 0);
    expect(at('sam', 300)).toEqual([]);
    await time.run(time.now() + 60_000);
    at('alex', 0);
    expect(at('sam', 100)).toMatchObject([{ dogs: [{ sound_type: 'leash_off' }] }]);
    expect(notified).toHaveLength(2);
  });

  test('no one is warned of a person without dogs', () => {
    const { at, notified } = park([]);
    at('alex', 0);
    expect(at('sam', 10)).toEqual([]);
    expect(notified).toEqual([]);
  });

  test('a block between two users who are near each other shows no anonymous dog before they have parted', async () => {
    const { at, engine, people, notified, time } = park();
    const blocked = { ...people };
    Object.assign(people, {
      alex: { ...people.alex, blocked: new Set() },
      sam: { ...people.sam, blocked: new Set() },
    });
    at('alex', 0);
    expect(at('sam', 10)).toMatchObject([{ user_id: 'alex' }]);
    Object.assign(people, blocked);
    engine.update(people.alex);
    engine.update(people.sam);
    await time.run(time.now() + 20_000);
    expect([at('alex', 0), at('sam', 10), notified]).toEqual([[], [], []]);
    await time.run(time.now() + 60_000);
    at('alex', 0);
    at('sam', 300);
    await time.run(time.now() + 60_000);
    at('alex', 0);
    expect(at('sam', 10)).toMatchObject([{ is_anonymous: true }]);
  });
});

describe('the id of an anonymous user', () => {
  const DAY_MS = 86_400_000;
  const of = (user_id: string, tracker: string) => ({ person: { user_id }, tracker });
  const idOf = (viewer: [string, string], other: [string, string], at = 0, secret = 'secret') =>
    createAnonymousIds(secret, () => at)(of(...viewer), of(...other));

  test('is the same on all nodes during a walk', () => {
    expect(idOf(['sam', 'walk 1'], ['alex', 'walk 2'])).toBe(
      idOf(['sam', 'walk 1'], ['alex', 'walk 2']),
    );
  });

  test('links no two walks, viewers or days, and cannot be computed without the secret', () => {
    const ids = [
      idOf(['sam', 'walk 1'], ['alex', 'walk 2']),
      idOf(['sam', 'walk 3'], ['alex', 'walk 2']),
      idOf(['sam', 'walk 1'], ['alex', 'walk 4']),
      idOf(['eve', 'walk 1'], ['alex', 'walk 2']),
      idOf(['sam', 'walk 1'], ['alex', 'walk 2'], DAY_MS),
      idOf(['sam', 'walk 1'], ['alex', 'walk 2'], 0, 'other secret'),
    ];
    expect(new Set(ids)).toHaveLength(ids.length);
  });
});
