import { METERS_PER_FOOT, metersBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';
import {
  OFFSET_MIN_METERS,
  ringOffset,
} from '../../api/features/proximity/engine/coarse-location.ts';
import { apart, type Path, type Random, spotOf, type Spot } from '../simulation.ts';
import { type Account, type Arena, gridPoints, isVictim, shownFeet } from './arena.ts';

/** Victims are at most this far from the middle, which the attacker knows; meters. */
export const AREA_METERS = 150;
const FAR = 420;
const BAND_METERS = 250 * METERS_PER_FOOT;
const WALKING = 1.4;

export interface Attack {
  name: string;
  accounts: string[];
  blocked?: string[];
  /** How the victim moves; stands by default. */
  walk?: (from: Spot, random: Random) => Path;
  /** @returns the best guess of where the victim is now */
  run(arena: Arena, random: Random): Promise<Spot>;
}

/** The possible coarse locations of the victim: the points of the public grid that are consistent with all answers. */
class Knowledge {
  #points: Place[] = gridPoints(AREA_METERS + 100);

  /** Takes an answer to a report of an account, whose own coarse location the attacker knows. */
  note(account: Account, answer: LocationAnswer, radiusFeet = 500): number | null {
    const feet = shownFeet(answer);
    const place = account.coarse();
    if (!place || answer.is_unconfirmed || answer.is_too_rough) return feet;
    const explains = (point: Place) => {
      const meters = metersBetween(place, point);
      if (meters > radiusFeet * METERS_PER_FOOT) return feet === null;
      if (feet === null) return false;
      return radiusFeet <= 250 || (feet === 250) === meters <= BAND_METERS;
    };
    const left = this.#points.filter(explains);
    // Contradicting answers mean that the victim moves.
    if (left.length > 0) this.#points = left;
    return feet;
  }

  guess(): Spot {
    const spots = this.#points.map(spotOf);
    const mean = (of: (spot: Spot) => number) =>
      spots.reduce((sum, spot) => sum + of(spot), 0) / spots.length;
    return { east: mean(({ east }) => east), north: mean(({ north }) => north) };
  }
}

const along = (from: Spot, to: Spot, share: number): Spot => ({
  east: from.east + (to.east - from.east) * share,
  north: from.north + (to.north - from.north) * share,
});

/** Travels as fast as a report may claim, reporting on the way. */
async function travel(
  account: Account,
  from: Spot,
  to: Spot,
  look: (spot: Spot, answer: LocationAnswer) => boolean,
  extra: Partial<PositionReport> = {},
): Promise<Spot> {
  const steps = Math.max(1, Math.ceil(apart(from, to) / 15));
  for (let step = 1; step <= steps; step += 1) {
    const spot = along(from, to, step / steps);
    if (look(spot, await account.report(spot, extra))) return spot;
  }
  return to;
}

/** Approaches from far away until the answer changes, and bisects to find that edge. @returns the edge */
async function bisect(
  account: Account,
  from: Spot,
  to: Spot,
  isInside: (spot: Spot, answer: LocationAnswer) => boolean,
  extra: Partial<PositionReport> = {},
): Promise<Spot | null> {
  let outside = from;
  let inside: Spot | null = null;
  await travel(
    account,
    from,
    to,
    (spot, answer) => {
      if (isInside(spot, answer)) inside = spot;
      else outside = spot;
      return inside !== null;
    },
    extra,
  );
  for (let round = 0; inside && round < 10; round += 1) {
    const middle = along(outside, inside, 0.5);
    if (isInside(middle, await account.report(middle, extra))) inside = middle;
    else outside = middle;
  }
  if (inside) await travel(account, inside, from, () => false, extra);
  return inside;
}

const SIDES: Spot[] = [
  { east: -FAR, north: 0 },
  { east: 0, north: FAR },
  { east: FAR, north: 0 },
  { east: 0, north: -FAR },
];
const MIDDLE: Spot = { east: 0, north: 0 };

/** Goes around outside, to pass no one on the way. */
async function goAround(account: Account, from: Spot, to: Spot): Promise<void> {
  const corner = {
    east: Math.sign(from.east + to.east) * FAR,
    north: Math.sign(from.north + to.north) * FAR,
  };
  await travel(account, from, corner, () => false);
  await travel(account, corner, to, () => false);
}

async function bisectFromAllSides(account: Account, knowledge: Knowledge): Promise<void> {
  const note = (_: Spot, answer: LocationAnswer) => knowledge.note(account, answer) !== null;
  for (const [index, side] of SIDES.entries()) {
    await bisect(account, side, MIDDLE, note);
    const next = SIDES[index + 1];
    if (next) await goAround(account, side, next);
  }
}

const straight =
  (from: Spot, random: Random, angle = 2 * Math.PI * random.uniform()): Path =>
  (at) => ({
    east: from.east + (WALKING * at * Math.sin(angle)) / 1000,
    north: from.north + (WALKING * at * Math.cos(angle)) / 1000,
  });

export const ATTACKS: Attack[] = [
  {
    name: 'jumping to random places',
    accounts: ['one'],
    async run(arena, random) {
      const knowledge = new Knowledge();
      for (let jump = 0; jump < 60; jump += 1) {
        const spot = { east: random.between(-FAR, FAR), north: random.between(-FAR, FAR) };
        if (apart(spot, MIDDLE) < AREA_METERS + 40) continue;
        const account = arena.accounts[0]!;
        knowledge.note(account, await account.report(spot));
        await arena.pass(10_000);
        knowledge.note(account, await account.report(spot));
      }
      return knowledge.guess();
    },
  },
  {
    name: 'bisecting the edges of the bands from four sides',
    accounts: ['one'],
    async run(arena) {
      const knowledge = new Knowledge();
      await bisectFromAllSides(arena.accounts[0]!, knowledge);
      return knowledge.guess();
    },
  },
  {
    name: 'walking past at 45 m',
    accounts: ['one'],
    async run(arena) {
      const knowledge = new Knowledge();
      const victim = arena.victim();
      // Anyone who follows a street knows as much.
      for (let north = -FAR; north <= FAR; north += WALKING) {
        const spot = { east: victim.east + 45, north };
        knowledge.note(arena.accounts[0]!, await arena.accounts[0]!.report(spot));
        await arena.pass(500);
      }
      const guess = knowledge.guess();
      // The attacker knows at which side the victim may be, and that no one was notified.
      return { east: Math.min(guess.east, victim.east + 45 - 30.48), north: guess.north };
    },
  },
  {
    name: 'three accounts standing in a triangle, sweeping the radius',
    accounts: ['one', 'two', 'three'],
    async run(arena) {
      const knowledge = new Knowledge();
      for (const [index, account] of arena.accounts.entries()) {
        const angle = (2 * Math.PI * index) / 3;
        const at = (meters: number) => ({
          east: meters * Math.sin(angle),
          north: meters * Math.cos(angle),
        });
        for (let meters = FAR; meters >= AREA_METERS + 40; meters -= 10)
          for (let radius = 500; radius >= 250; radius -= 50)
            knowledge.note(
              account,
              await account.report(at(meters), { radius_feet: radius }),
              radius,
            );
      }
      return knowledge.guess();
    },
  },
  {
    name: 'three accounts bisecting, each from another side',
    accounts: ['one', 'two', 'three'],
    async run(arena) {
      const knowledge = new Knowledge();
      for (const [index, account] of arena.accounts.entries())
        await bisect(
          account,
          SIDES[index]!,
          MIDDLE,
          (_, answer) => knowledge.note(account, answer) !== null,
        );
      return knowledge.guess();
    },
  },
  {
    name: 'sweeping the radius from one place after the other',
    accounts: ['one'],
    async run(arena) {
      const knowledge = new Knowledge();
      const account = arena.accounts[0]!;
      let from = SIDES[0]!;
      for (const side of SIDES) {
        if (side !== from) await goAround(account, from, side);
        from = side;
        const post = along(side, MIDDLE, 0.5);
        await travel(account, side, post, () => false);
        for (let radius = 500; radius >= 110; radius -= 10)
          knowledge.note(account, await account.report(post, { radius_feet: radius }), radius);
        await travel(account, post, side, () => false);
      }
      return knowledge.guess();
    },
  },
  {
    name: 'scanning the cadence with the default radius',
    accounts: ['one'],
    async run(arena) {
      const account = arena.accounts[0]!;
      const edges: Spot[] = [];
      const isFast = (_: Spot, answer: LocationAnswer) => answer.next_update_seconds <= 5;
      for (const [index, side] of SIDES.entries()) {
        const edge = await bisect(account, side, MIDDLE, isFast, { radius_feet: 100 });
        if (edge) edges.push(edge);
        const next = SIDES[index + 1];
        if (next) await goAround(account, side, next);
      }
      const middle = (a?: number, b?: number) =>
        a !== undefined && b !== undefined ? (a + b) / 2 : 0;
      return {
        east: middle(edges[0]?.east, edges[2]?.east),
        north: middle(edges[1]?.north, edges[3]?.north),
      };
    },
  },
  {
    name: 'the second account of a person whom the victim has blocked',
    accounts: ['one', 'two'],
    blocked: ['one'],
    async run(arena) {
      const knowledge = new Knowledge();
      const [one, two] = arena.accounts;
      // The blocked account is shown a dog without a name; the other one bisects.
      await travel(one!, SIDES[2]!, MIDDLE, () => false);
      await bisectFromAllSides(two!, knowledge);
      return knowledge.guess();
    },
  },
  {
    name: 'replaying sequence numbers from everywhere',
    accounts: ['one'],
    async run(arena, random) {
      const knowledge = new Knowledge();
      const account = arena.accounts[0]!;
      const at = { east: FAR, north: 0 };
      await account.report(at, { device: 'phone', sequence: 1_000 });
      for (let sequence = 1; sequence < 200; sequence += 1) {
        const spot = { east: random.between(-200, 200), north: random.between(-200, 200) };
        const answer = await account.report(spot, { device: 'phone', sequence });
        // A late report gets an empty answer, so only one that shows the victim is informative.
        if (shownFeet(answer) !== null) knowledge.note(account, answer);
      }
      return knowledge.guess();
    },
  },
  {
    name: 'rough positions from everywhere',
    accounts: ['one'],
    async run(arena, random) {
      const knowledge = new Knowledge();
      for (let count = 0; count < 200; count += 1) {
        const spot = { east: random.between(-200, 200), north: random.between(-200, 200) };
        knowledge.note(
          arena.accounts[0]!,
          await arena.accounts[0]!.report(spot, { accuracy: 150 }),
        );
      }
      return knowledge.guess();
    },
  },
  {
    name: 'standing still and timing the events of a victim who walks',
    accounts: ['one'],
    walk: straight,
    async run(arena) {
      const account = arena.accounts[0]!;
      const spot = { east: 0, north: -AREA_METERS - 30 };
      const knowledge = new Knowledge();
      for (let second = 0; second < 60; second += 1) {
        knowledge.note(account, await account.report(spot));
        await arena.pass(1_000);
        const last = account.sent.at(-1);
        // At the moment of the event the victim's coarse location has just crossed the edge.
        if (last && isVictim(last) && last.at > arena.time.now() - 1_000) break;
      }
      return knowledge.guess();
    },
  },
  {
    name: 'knowing the coarse location at all times, victim standing',
    accounts: ['one'],
    async run(arena) {
      await arena.pass(60_000);
      return spotOf(arena.coarseOf()!);
    },
  },
  {
    name: 'knowing the coarse location at all times, victim walking straight',
    accounts: ['one'],
    walk: straight,
    async run(arena) {
      const seen: { at: number; spot: Spot }[] = [];
      for (let second = 0; second < 120; second += 1) {
        await arena.pass(1_000);
        await arena.accounts[0]!.report({ east: FAR, north: FAR });
        seen.push({ at: second, spot: spotOf(arena.coarseOf()!) });
      }
      const fitted = (of: (spot: Spot) => number) =>
        lineAt(seen.map(({ at, spot }) => [at, of(spot)]));
      return { east: fitted(({ east }) => east), north: fitted(({ north }) => north) };
    },
  },
];

/** Three places from which no one was notified exclude a circle each; the guess is the middle of the rest. */
ATTACKS.push({
  name: 'knowing the coarse location, probing at three places around it',
  accounts: ['one'],
  async run(arena, random) {
    const coarse = spotOf(arena.coarseOf()!);
    const from = (meters: number, angle: number): Spot => ({
      east: coarse.east + meters * Math.sin(angle),
      north: coarse.north + meters * Math.cos(angle),
    });
    let left = Array.from({ length: 2_000 }, () => {
      const { east, north } = ringOffset(random.uniform(), random.uniform());
      return { east: coarse.east - east, north: coarse.north - north };
    });
    const start = 2 * Math.PI * random.uniform();
    for (let probe = 1; probe <= 3 && !arena.isVictimNotified; probe += 1) {
      const spot = from(OFFSET_MIN_METERS + 10, start + (Math.PI / 2) * probe);
      await arena.accounts[0]!.report(spot, { speed: 0, radius_feet: 100 });
      left = left.filter((each) => apart(each, spot) > RADIUS_METERS);
    }
    const mean = (of: (spot: Spot) => number) =>
      left.reduce((sum, spot) => sum + of(spot), 0) / left.length;
    return { east: mean(({ east }) => east), north: mean(({ north }) => north) };
  },
});

/** Returns the value of the least-squares line at the last point. */
function lineAt(points: [x: number, y: number][]): number {
  const n = points.length;
  const mean = (which: 0 | 1) => points.reduce((sum, point) => sum + point[which], 0) / n;
  const [x, y] = [mean(0), mean(1)];
  const slope =
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return y + slope * ((points.at(-1)?.[0] ?? x) - x);
}
