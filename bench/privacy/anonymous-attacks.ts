import { apart, spotOf, type Spot } from '../simulation.ts';
import { type Account, type Arena, shownFeet } from './arena.ts';
import { AREA_METERS, type Attack } from './attacks.ts';

/** Warnings without names begin within 340 m of the victim at most. */
const FAR = AREA_METERS + 380;
const FRIENDLY = { name: 'Bella', sound_type: 'leash_off', image_key: null } as const;
/** The mean of the second offset of a person whose first one is known, as a share of that one. */
const SECOND_OFFSET = 0.44;

const DIRECTIONS = Array.from({ length: 8 }, (_, index) => (2 * Math.PI * index) / 8);

/**
 * Comes near from eight sides, and bisects where the victim is shown or the cadence shortens.
 * @returns the middle of these places; null if there is none
 */
async function middleOfEdges(account: Account, isNameless: boolean): Promise<Spot | null> {
  const edges: Spot[] = [];
  const extra = { radius_feet: 100, is_nameless: isNameless };
  for (const angle of DIRECTIONS) {
    const at = (meters: number): Spot => ({
      east: meters * Math.sin(angle),
      north: meters * Math.cos(angle),
    });
    const isInside = async (meters: number) => {
      const answer = await account.report(at(meters), extra);
      return shownFeet(answer) !== null || answer.next_update_seconds <= 2;
    };
    let outside = FAR;
    let inside = FAR;
    while (inside > 0 && !(await isInside(inside))) {
      outside = inside;
      inside -= 15;
    }
    if (inside <= 0) continue;
    for (let round = 0; round < 5; round += 1) {
      const middle = (outside + inside) / 2;
      if (await isInside(middle)) inside = middle;
      else outside = middle;
    }
    edges.push(at(inside));
    const next = angle + Math.PI / 4;
    await walk(account, at(inside), at(FAR), extra);
    await walk(
      account,
      at(FAR),
      { east: FAR * Math.sin(next), north: FAR * Math.cos(next) },
      extra,
    );
  }
  return edges.length < DIRECTIONS.length ? null : centerOf(edges);
}

/** Walks from one place to another without a jump. */
async function walk(account: Account, from: Spot, to: Spot, extra: object): Promise<void> {
  const steps = Math.ceil(apart(from, to) / 15);
  for (let step = 1; step <= steps; step += 1)
    await account.report(
      {
        east: from.east + ((to.east - from.east) * step) / steps,
        north: from.north + ((to.north - from.north) * step) / steps,
      },
      extra,
    );
}

/** Returns the center of the circle that fits these points best. */
function centerOf(points: Spot[]): Spot {
  let [east, north] = [0, 0];
  for (let round = 0; round < 200; round += 1) {
    const distances = points.map((point) => apart(point, { east, north }));
    const radius = distances.reduce((sum, each) => sum + each, 0) / points.length;
    let [moveEast, moveNorth] = [0, 0];
    for (const [index, point] of points.entries()) {
      const meters = distances[index]!;
      moveEast += ((east - point.east) / meters) * (radius - meters);
      moveNorth += ((north - point.north) / meters) * (radius - meters);
    }
    east += (2 * moveEast) / points.length;
    north += (2 * moveNorth) / points.length;
  }
  return { east, north };
}

const unlocated: Spot = { east: 0, north: 0 };

/** Walks up to the victim, once, by name. */
async function meet(arena: Arena, account: Account): Promise<void> {
  const there = arena.victim();
  for (let meters = 200; meters >= 0; meters -= 10)
    await account.report({ east: there.east, north: there.north - meters }, { radius_feet: 100 });
  for (let meters = 0; meters <= 600; meters += 15)
    await account.report({ east: there.east, north: there.north - meters }, { radius_feet: 100 });
}

/** Attacks by people who are shown without names, or want to be: they blocked the victim, or walk without a name. */
export const ANONYMOUS_ATTACKS: Attack[] = [
  {
    name: 'blocking the victim, without a dog',
    accounts: ['one'],
    async run(arena) {
      const [account] = arena.accounts;
      account!.dogs = [];
      account!.block();
      return (await middleOfEdges(account!, false)) ?? unlocated;
    },
  },
  {
    name: 'walking without a name and without a dog',
    accounts: ['one'],
    async run(arena) {
      const [account] = arena.accounts;
      account!.dogs = [];
      return (await middleOfEdges(account!, true)) ?? unlocated;
    },
  },
  {
    name: 'walking without a name, with a dog',
    accounts: ['one'],
    async run(arena) {
      const [account] = arena.accounts;
      account!.dogs = [FRIENDLY];
      return (await middleOfEdges(account!, true)) ?? unlocated;
    },
  },
  {
    name: 'walking everywhere as a person whom the victim has blocked',
    accounts: ['one'],
    blocked: ['one'],
    run: async (arena) => (await middleOfEdges(arena.accounts[0]!, false)) ?? unlocated,
  },
  {
    name: 'blocking the victim after one meeting, knowing her offset and the own one',
    accounts: ['one'],
    async run(arena) {
      const [account] = arena.accounts;
      await meet(arena, account!);
      // She noticed the meeting; from now on she must notice nothing.
      arena.isVictimNotified = false;
      Object.assign(account!, { hasSeen: false, isSeen: false });
      account!.block();
      const center = await middleOfEdges(account!, false);
      if (!center) return unlocated;
      const offset = (coarse: Spot, real: Spot) => ({
        east: coarse.east - real.east,
        north: coarse.north - real.north,
      });
      const hers = offset(spotOf(arena.coarseOf()!), arena.victim());
      await walk(account!, { east: 0, north: FAR }, center, { radius_feet: 100 });
      const own = offset(spotOf(account!.coarse()!), center);
      return {
        east: center.east - SECOND_OFFSET * (hers.east - own.east),
        north: center.north - SECOND_OFFSET * (hers.north - own.north),
      };
    },
  },
  {
    name: 'an account without a dog that comes within 100 ft',
    accounts: ['one'],
    async run(arena) {
      const [account] = arena.accounts;
      account!.dogs = [];
      await meet(arena, account!);
      return arena.victim();
    },
  },
];
