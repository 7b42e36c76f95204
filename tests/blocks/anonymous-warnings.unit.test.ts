import { describe, expect, test } from 'vitest';
import type { NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { createAnonymousIds } from '../../api/features/proximity/engine/anonymous-id.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { Sightings } from '../../api/features/proximity/engine/sightings.ts';
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
  dog_ids: dogs.map((_, index) => `${user_id} ${index}`),
  blocked: new Set(blocked),
});

interface Walker {
  blocked: string[];
  dogs: readonly object[];
  is_nameless: boolean;
}

/** Alex and Sam on simulated time, of whom one blocked the other. `at` reports a person in meters north of the center. */
function park(changed: { alex?: Partial<Walker>; sam?: Partial<Walker> } = {}) {
  const time = new Simulation();
  const met: string[] = [];
  const notified: [viewer: string, other: NearbyUser][] = [];
  const hastened: string[] = [];
  const engine = new EncounterEngine({
    now: time.now,
    after: time.after,
    offsetOf: () => () => NO_OFFSET,
    onEncounter: ({ mover, other }) => met.push(`${mover.user_id} ${other.user_id}`),
    onUpdate: (user, before) => sightings.applyChange(user, before),
    onRemove: (user) => sightings.remove(user),
    requestReport: (who) => hastened.push(who),
  });
  const sightings = new Sightings(engine, {
    now: time.now,
    idOf: createAnonymousIds('a secret', time.now),
    mayShow: () => true,
    onEntry: (viewer, other) => notified.push([viewer, other]),
  });
  const walkers: Record<'alex' | 'sam', Walker> = {
    alex: { blocked: ['sam'], dogs: [rex, bella], is_nameless: false, ...changed.alex },
    sam: { blocked: ['alex'], dogs: [rex, bella], is_nameless: false, ...changed.sam },
  };
  const report = (
    who: keyof typeof walkers,
    meters: number,
    details: Partial<PositionReport> = {},
  ): NearbyUser[] => {
    const { blocked, dogs, is_nameless } = walkers[who];
    const sent = { ...placeOf({ east: 0, north: meters }), is_nameless, ...details };
    const answer = engine.report(asPerson(who, blocked, dogs), sent);
    return sightings.apply(who, sent, answer).nearbyUsers;
  };
  const at = (who: keyof typeof walkers, meters: number) => report(who, meters);
  /** Applies a change of a person's profile or blocks, as a signal does. */
  const update = (who: keyof typeof walkers) =>
    engine.update(asPerson(who, walkers[who].blocked, walkers[who].dogs));
  return { time, engine, walkers, met, notified, hastened, report, at, update };
}

const WITHOUT_BLOCK = { blocked: [] };

describe.each([
  ['of whom one blocked the other', {}],
  [
    'of whom one walks without a name',
    { alex: { ...WITHOUT_BLOCK, is_nameless: true }, sam: WITHOUT_BLOCK },
  ],
] as const)('two users %s', (_, relation) => {
  const inPark = (dogs: { alex?: readonly object[]; sam?: readonly object[] } = {}) =>
    park({
      alex: { ...('alex' in relation && relation.alex), ...(dogs.alex && { dogs: dogs.alex }) },
      sam: { ...('sam' in relation && relation.sam), ...(dogs.sam && { dogs: dogs.sam }) },
    });
  const anonymous = {
    user_id: expect.stringMatching(/^anonymous-/) as string,
    display_name: '',
    distance_feet: 250,
    dogs: [{ name: '', sound_type: 'leash_on', image_key: null }],
    is_anonymous: true,
  };

  test.each([
    ['both', [rex, bella], [rex]],
    ['the first', [rex], [bella]],
    ['the second', [bella], [rex]],
  ])(
    'are told the same at the same moment if %s has a dog that needs space, and nothing is recorded',
    (__, alex, sam) => {
      const { at, met, notified } = inPark({ alex, sam });
      at('alex', 0);
      expect(at('sam', 10)).toEqual([anonymous]);
      expect(notified).toEqual([
        ['sam', anonymous],
        ['alex', anonymous],
      ]);
      expect(at('alex', 0)).toEqual([anonymous]);
      expect(JSON.stringify(notified.map(([, other]) => other))).not.toMatch(
        /alex|sam|rex|bella|large|deaf|heat/i,
      );
      expect(met).toEqual([]);
    },
  );

  test.each([
    ['without a dog that needs space', [bella], [bella]],
    ['without dogs', [], [rex]],
    ['who meet somebody without dogs', [rex], []],
  ])('%s notice nothing of each other, not even by when to report', (__, alex, sam) => {
    const { at, notified, hastened } = inPark({ alex, sam });
    for (const meters of [400, 200, 60, 10]) {
      expect(at('alex', 0)).toEqual([]);
      expect(at('sam', meters)).toEqual([]);
    }
    expect([notified, hastened]).toEqual([[], []]);
  });

  test('are warned once while they are near each other, and again after they parted', async () => {
    const { at, notified, time } = inPark();
    at('alex', 0);
    for (const meters of [160, 60, 0, 60, 160]) {
      await time.run(time.now() + 20_000);
      at('sam', meters);
    }
    expect(notified).toHaveLength(2);
    await time.run(time.now() + 20_000);
    at('alex', 0);
    expect(at('sam', 300)).toEqual([]);
    await time.run(time.now() + 60_000);
    at('alex', 0);
    expect(at('sam', 100)).toHaveLength(1);
    expect(notified).toHaveLength(4);
  });
});

describe('two users who are near each other by name', () => {
  test.each([
    ['a block', { alex: { blocked: ['sam'] }, sam: { blocked: ['alex'] } }],
    ['a name that is taken off', { alex: { is_nameless: true } }],
  ] as [string, Parameters<typeof park>[0]][])(
    '%s shows no anonymous dog before they have parted',
    async (_, change) => {
      const { at, walkers, update, notified, time } = park({
        alex: WITHOUT_BLOCK,
        sam: WITHOUT_BLOCK,
      });
      at('alex', 0);
      expect(at('sam', 10)).toMatchObject([{ user_id: 'alex' }]);
      Object.assign(walkers.alex, change?.alex);
      Object.assign(walkers.sam, change?.sam);
      update('alex');
      update('sam');
      await time.run(time.now() + 20_000);
      expect([at('alex', 0), at('sam', 10), notified]).toEqual([[], [], []]);
      await time.run(time.now() + 60_000);
      at('alex', 0);
      at('sam', 300);
      await time.run(time.now() + 60_000);
      at('alex', 0);
      expect(at('sam', 10)).toMatchObject([{ is_anonymous: true }]);
    },
  );

  test.each<[string, (walks: ReturnType<typeof park>) => unknown]>([
    ['drives for a moment', ({ report }) => report('sam', 10, { speed: 12 })],
    ['reports no dogs for a moment', ({ report }) => report('sam', 10, { dog_ids: [] })],
    ['pauses sharing', ({ engine }) => engine.remove('sam')],
    ['sends no position for some minutes', ({ time }) => time.run(time.now() + 180_000)],
  ])('somebody blocked who %s is not warned of the one who blocked them', async (_, evade) => {
    const walks = park({ alex: WITHOUT_BLOCK, sam: WITHOUT_BLOCK });
    const { at, walkers, update, time, notified } = walks;
    at('alex', 0);
    expect(at('sam', 10)).toMatchObject([{ user_id: 'alex' }]);
    walkers.alex.blocked = ['sam'];
    walkers.sam.blocked = ['alex'];
    update('alex');
    update('sam');
    await evade(walks);
    await time.run(time.now() + 20_000);
    expect([at('alex', 0), at('sam', 10), at('alex', 0), notified]).toEqual([[], [], [], []]);
    // In the end, nothing says when the block was.
    await time.run(time.now() + 11 * 60_000);
    at('alex', 0);
    expect(at('sam', 10)).toMatchObject([{ is_anonymous: true }]);
  });

  test('a dog that stayed out of sight during a block gives no warning when it comes', async () => {
    const { at, report, walkers, update, time } = park({ alex: WITHOUT_BLOCK, sam: WITHOUT_BLOCK });
    at('alex', 0);
    report('sam', 10, { dog_ids: [] });
    walkers.alex.blocked = ['sam'];
    update('alex');
    await time.run(time.now() + 20_000);
    at('alex', 0);
    expect(at('sam', 10)).toEqual([]);
  });

  test('a block changes nothing for somebody who walks without a name', () => {
    const { at, walkers, update } = park({
      alex: { ...WITHOUT_BLOCK, is_nameless: true },
      sam: WITHOUT_BLOCK,
    });
    at('alex', 0);
    const before = at('sam', 10);
    expect(before).toMatchObject([{ is_anonymous: true }]);
    Object.assign(walkers.sam, { blocked: ['alex'] });
    update('sam');
    expect(at('sam', 10)).toEqual(before);
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
