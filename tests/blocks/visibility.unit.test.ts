import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { createOffsets } from '../../api/features/proximity/engine/coarse-location.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { Sightings } from '../../api/features/proximity/engine/sightings.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';

/** What somebody is told of another person: the relation and the distance. */
type Told = readonly [viewer: string, other: string, what: string];

const told = (viewer: string, other: string, user: NearbyUser): Told => [
  viewer,
  other,
  `${user.is_anonymous ? 'anonymous' : user.user_id === other ? 'named' : 'wrong'} ${user.distance_feet}`,
];

/** Nodes of the API without delays between them. */
class Cluster {
  readonly time = new Simulation();
  readonly people: Person[];
  /** What events told people since it was emptied. */
  events: Told[] = [];
  readonly #nodes: { engine: EncounterEngine; sightings: Sightings }[];

  /** @param budgets pairs of ids, of which the first may not be shown the second */
  constructor(nodes: number, people: Person[], secret: number, budgets: ReadonlySet<string>) {
    this.people = people;
    const offsetsOf = createOffsets(`secret ${secret}`);
    this.#nodes = Array.from({ length: nodes }, () => {
      const engine: EncounterEngine = new EncounterEngine({
        now: this.time.now,
        after: this.time.after,
        offsetOf: (userId) => offsetsOf(userId, this.time.now),
        onEncounter: ({ mover, other, distance_feet }) => {
          for (const [viewer, seen] of [
            [mover, other],
            [other, mover],
          ] as const)
            this.#tell([viewer.user_id, seen.user_id, `named ${distance_feet}`]);
          // As over the bus: before the position that shows it.
          for (const node of this.#nodes)
            if (node.engine !== engine)
              node.engine.restoreEncounter(mover.user_id, other.user_id, this.time.now());
        },
        onUpdate: (user, before) => sightings.applyChange(user, before),
        onRemove: (user) => sightings.remove(user),
        requestReport: () => {},
      });
      const sightings: Sightings = new Sightings(engine, {
        now: this.time.now,
        idOf: (_, other) => `anonymous ${other.person.user_id}`,
        mayShow: (viewer, other) => !budgets.has(`${viewer} ${other}`),
        onEntry: (viewer, user) =>
          this.#tell(told(viewer, user.user_id.replace('anonymous ', ''), user)),
      });
      return { engine, sightings };
    });
  }

  /** Events that several nodes send are delivered once. */
  #tell(one: Told): void {
    if (!this.events.some((each) => each.join() === one.join())) this.events.push(one);
  }

  /** @returns what the answer tells a person */
  report(index: number, report: PositionReport, node: number): Told[] {
    const person = this.people[index]!;
    const { engine, sightings } = this.#nodes[node % this.#nodes.length]!;
    const isUsed = engine.usesPosition(person.user_id, report, '');
    const answer = sightings.apply(person.user_id, report, engine.report(person, report));
    const { next_update_seconds } = answer;
    for (const other of this.#nodes) {
      if (other.engine === engine || !isUsed) continue;
      const sent = { ...report, at: this.time.now(), session: '', next_update_seconds };
      other.engine.observe(person, sent);
      const user = other.engine.user(person.user_id);
      if (user?.isForeign) other.sightings.observe(user, sent);
    }
    return answer.nearbyUsers.map((user) =>
      told(person.user_id, user.user_id.replace('anonymous ', ''), user),
    );
  }

  /** Applies a block, as the signals of both people do. */
  block(one: number, other: number): void {
    for (const [index, with_] of [
      [one, other],
      [other, one],
    ] as const) {
      const person = this.people[index]!;
      const blocked = new Set([...person.blocked, this.people[with_]!.user_id]);
      this.people[index] = { ...person, blocked };
      for (const { engine } of this.#nodes) engine.update(this.people[index]);
    }
  }
}

const reverse = ([viewer, other, what]: Told): Told => [other, viewer, what];

const rex = { name: 'Rex', sound_type: 'leash_on', image_key: null } as const;
const bella = { name: 'Bella', sound_type: 'leash_off', image_key: null } as const;
const DOGS: Pick<Person, 'dogs' | 'dog_ids'>[] = [
  { dogs: [], dog_ids: [] },
  { dogs: [rex], dog_ids: ['rex'] },
  { dogs: [bella], dog_ids: ['bella'] },
  { dogs: [rex, bella], dog_ids: ['rex', 'bella'] },
];

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      who: fc.nat(2),
      node: fc.nat(1),
      east: fc.integer({ min: -120, max: 120 }),
      north: fc.integer({ min: -120, max: 120 }),
      radius_feet: fc.constantFrom(undefined, 10, 100, 110, 250, 500),
      dog_ids: fc.constantFrom<(string[] | undefined)[]>(
        undefined,
        undefined,
        [],
        ['rex'],
        ['bella'],
      ),
      is_nameless: fc.constantFrom(false, false, false, true),
      accuracy: fc.constantFrom(5, 5, 5, 5, 5, 200),
      speed: fc.constantFrom(null, 0, 1.4, 1.4, 1.4, 12),
      heading: fc.integer({ min: 0, max: 359 }),
      pause: fc.constantFrom(10, 1_000, 1_000, 5_000, 20_000, 130_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ blocker: fc.nat(2), blocked: fc.nat(2) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const still = { radius_feet: undefined, dog_ids: undefined, is_nameless: false, heading: 0 };

const exact = { accuracy: 5, speed: null, pause: 10 } as const;

/** One node predicts an encounter, then the other answers one of the two, whose new position is too rough to be used. */
const predictedElsewhere: Step[] = [
  { ...still, who: 0, node: 1, east: -31, north: -13, accuracy: 5, speed: 1.4, pause: 10 },
  { ...still, who: 1, node: 1, east: -55, north: 7, accuracy: 5, speed: 0, pause: 20_000 },
  { ...still, who: 0, node: 0, east: 0, north: 0, accuracy: 200, speed: null, pause: 10 },
  { ...still, who: 0, node: 0, east: 0, north: 0, accuracy: 5, speed: null, pause: 10 },
  { ...still, who: 0, node: 0, east: 0, north: 0, accuracy: 5, speed: null, pause: 10 },
];

/** A pair is hidden, and then only one node learns that one of the two cannot be used: by a report with an unusable position. */
const hiddenAndDriving: Step[] = [
  { ...still, who: 2, node: 0, east: 0, north: 0, radius_feet: 500, ...exact },
  { ...still, who: 2, node: 0, east: 0, north: 0, ...exact, accuracy: 200 },
  { ...still, who: 1, node: 0, east: 0, north: 0, ...exact },
  { ...still, who: 1, node: 0, east: 0, north: 0, is_nameless: true, ...exact },
  { ...still, who: 1, node: 0, east: 0, north: 0, ...exact, speed: 12 },
  { ...still, who: 0, node: 0, east: 0, north: 0, ...exact },
  { ...still, who: 1, node: 1, east: 31, north: 0, ...exact },
];

/** Two who met may not be shown each other beyond the encounter radius, and then one sends an unusable position. */
const metBeforeBudget: Step[] = [
  { ...still, who: 1, node: 0, east: 0, north: 0, ...exact },
  { ...still, who: 2, node: 0, east: 0, north: 0, radius_feet: 110, ...exact },
  { ...still, who: 1, node: 0, east: 0, north: 31, radius_feet: 500, ...exact },
  { ...still, who: 0, node: 0, east: 0, north: 0, ...exact },
  { ...still, who: 1, node: 0, east: 0, north: 0, ...exact, accuracy: 200 },
];

type Example = [dogs: number[], budgets: [number, number][], steps: Step[], secret: number];
const EXAMPLES: Example[] = [
  [[0, 0, 0], [], predictedElsewhere, 0],
  [[0, 1, 1], [], hiddenAndDriving, 0],
  [[0, 0, 0], [[2, 1]], metBeforeBudget, 0],
];

test.each([1, 2])(
  'whoever is shown somebody is shown to them, at the same time and distance, on %s nodes',
  async (nodes) => {
    const shown = { named: 0, anonymous: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 2 }),
        fc.array(step, { minLength: 2, maxLength: 30 }),
        fc.nat(),
        async (dogs, budgets, steps, secret) => {
          const names = ['ann', 'bob', 'cat'];
          const people = dogs.map((which, index) => ({
            user_id: names[index]!,
            display_name: names[index]!,
            ...DOGS[which]!,
            blocked: new Set<string>(),
          }));
          const unaffordable = new Set(budgets.map(([a, b]) => `${names[a]} ${names[b]}`));
          const cluster = new Cluster(nodes, people, secret, unaffordable);
          const last = new Map<number, [report: PositionReport, node: number]>();
          for (const each of steps) {
            if ('blocker' in each) {
              if (each.blocker !== each.blocked) cluster.block(each.blocker, each.blocked);
              continue;
            }
            const { who, node, east, north, pause, ...rest } = each;
            await cluster.time.run(cluster.time.now() + pause);
            cluster.events = [];
            const report = { ...placeOf({ east, north }), ...rest };
            cluster.report(who, report, node);
            const entered = [...cluster.events];
            last.set(who, [report, node]);
            // All report from where they are, and then ask again at the same moment.
            for (const [index, [their, at]] of last) cluster.report(index, their, at);
            const all = [...last].flatMap(([index, [their, at]]) =>
              cluster.report(index, their, at),
            );
            // A node that learned late repeats an event; the other person sees the same in their answer.
            const toldBoth = nodes === 1 ? entered : [...entered, ...all];
            for (const one of entered)
              expect(toldBoth, 'both are told').toContainEqual(reverse(one));
            for (const one of all) {
              expect(all, 'both are shown').toContainEqual(reverse(one));
              shown[one[2].startsWith('named') ? 'named' : 'anonymous'] += 1;
            }
          }
        },
      ),
      { numRuns: 300, examples: EXAMPLES },
    );
    expect(shown.named).toBeGreaterThan(100);
    expect(shown.anonymous).toBeGreaterThan(100);
  },
  180_000,
);
