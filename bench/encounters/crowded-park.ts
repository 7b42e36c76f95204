import { RADIUS_METERS, REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import type { BenchRow } from '../result-row.ts';
import { apart, type Path, type Random, randomFrom, type Spot } from '../simulation.ts';
import { type Outcome, QUICK, walkOurs, walkPolling, type Walker } from '../walkers.ts';

const PEOPLE = 200;
/** The park is a square; meters. */
const SIDE = 400;
const MINUTES = 15;
const UNTIL = MINUTES * 60_000;
const STEP_MS = 500;
/** Passing closer than this is a meeting. */
const MEETING_METERS = 10;

/** From one bench to the next, resting at some; one in ten jogs. */
function stroll(random: Random): Path {
  const spot = (): Spot => ({ east: random.between(0, SIDE), north: random.between(0, SIDE) });
  const speed = random.uniform() < 0.1 ? 2.5 : random.between(1.1, 1.6);
  const legs: { from: number; until: number; at: Spot; to: Spot }[] = [];
  let at = spot();
  let time = 0;
  while (time < UNTIL + 60_000) {
    const rests = random.uniform() < 0.3;
    const to = rests ? at : spot();
    const until = time + (rests ? random.between(20_000, 90_000) : (apart(at, to) / speed) * 1000);
    legs.push({ from: time, until, at, to });
    at = to;
    time = until;
  }
  return (now) => {
    const leg = legs.find(({ until }) => now < until) ?? legs[legs.length - 1];
    if (!leg) return at;
    const share = Math.min(1, Math.max(0, (now - leg.from) / (leg.until - leg.from)));
    return {
      east: leg.at.east + (leg.to.east - leg.at.east) * share,
      north: leg.at.north + (leg.to.north - leg.at.north) * share,
    };
  };
}

interface Meeting {
  a: number;
  b: number;
  entered: number;
  closestAt: number;
  closest: number;
}

/** What really happened: every time that two people came within the radius. */
function meetingsOf(paths: Path[]): {
  meetings: Meeting[];
  distance(a: number, b: number, at: number): number;
} {
  const steps = Math.floor(UNTIL / STEP_MS);
  const spots = paths.map((path) =>
    Array.from({ length: steps + 1 }, (_, step) => path(step * STEP_MS)),
  );
  const distance = (a: number, b: number, at: number) => {
    const step = Math.max(0, Math.min(steps, Math.round(at / STEP_MS)));
    const one = spots[a]?.[step];
    const other = spots[b]?.[step];
    return one && other ? apart(one, other) : Infinity;
  };
  const meetings: Meeting[] = [];
  for (let a = 0; a < paths.length; a += 1)
    for (let b = a + 1; b < paths.length; b += 1) {
      let current: Meeting | null = null;
      for (let at = 0; at <= UNTIL; at += STEP_MS) {
        const meters = distance(a, b, at);
        if (meters > RADIUS_METERS) current = null;
        else if (!current)
          meetings.push((current = { a, b, entered: at, closestAt: at, closest: meters }));
        else if (meters < current.closest)
          Object.assign(current, { closestAt: at, closest: meters });
      }
    }
  return { meetings, distance };
}

/** Evaluates a way of warning in the park, from the second minute on, when all users have arrived. */
function judge(outcome: Outcome, truth: ReturnType<typeof meetingsOf>) {
  const from = 120_000;
  const warned = (who: number, ofWhom: number) =>
    outcome.warnings.get(String(who))?.get(String(ofWhom)) ?? [];
  const close = truth.meetings.filter(
    ({ closest, entered }) => closest <= MEETING_METERS && entered > from,
  );
  // A warning shortly before they met again counts, because it is not repeated within the window.
  const inTime = (meeting: Meeting, who: number, ofWhom: number) =>
    warned(who, ofWhom).some(
      (at) => at < meeting.closestAt && at > meeting.entered - (REPEAT_SECONDS + 5) * 1000,
    );
  const missed = close.filter(
    (meeting) => !inTime(meeting, meeting.a, meeting.b) || !inTime(meeting, meeting.b, meeting.a),
  ).length;
  let warnings = 0;
  let baseless = 0;
  for (const [who, ofWhom] of outcome.warnings)
    for (const [other, times] of ofWhom)
      for (const at of times) {
        warnings += 1;
        let nearest = Infinity;
        for (let around = at - 10_000; around <= at + 10_000; around += STEP_MS)
          nearest = Math.min(nearest, truth.distance(Number(who), Number(other), around));
        if (nearest > RADIUS_METERS) baseless += 1;
      }
  return {
    meetings: close.length,
    missed: missed / close.length,
    baseless: baseless / warnings,
    perMinute: outcome.requests / PEOPLE / MINUTES,
  };
}

/** 200 people in one park: everyone is warned, and no phone reports too often. */
export async function parkRows(noise: number): Promise<BenchRow[]> {
  const random = randomFrom(200);
  const walkers: Walker[] = Array.from({ length: PEOPLE }, (_, index) => ({
    id: String(index),
    path: stroll(random),
    from: random.between(0, 30_000),
  }));
  const truth = meetingsOf(walkers.map(({ path }) => path));
  const conditions = () => ({ ...QUICK, noise, random: randomFrom(3) });
  const ours = judge(await walkOurs(walkers, UNTIL, conditions()), truth);
  const rival = judge(await walkPolling(walkers, UNTIL, conditions()), truth);
  const group = 'encounters';
  const name = `${PEOPLE} people in a park of ${SIDE} m, ${noise > 0 ? 'fixes 3 m off' : 'exact fixes'}`;
  const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
  return [
    {
      group,
      row: `${name}: of ${ours.meetings} meetings within ${MEETING_METERS} m, not both warned before`,
      ours: percent(ours.missed),
      rival: percent(rival.missed),
      ratio: '',
      target: '≤ 0.5%',
      ok: ours.missed <= 0.005,
    },
    {
      group,
      row: `${name}: warnings of somebody who was not within the radius in those 20 s`,
      ours: percent(ours.baseless),
      rival: percent(rival.baseless),
      ratio: '',
      target: noise > 0 ? '' : '≤ 2%',
      ok: noise > 0 ? null : ours.baseless <= 0.02,
    },
    {
      group,
      row: `${name}: requests a minute and person`,
      ours: ours.perMinute.toFixed(1),
      rival: rival.perMinute.toFixed(1),
      ratio: `${(ours.perMinute / rival.perMinute).toFixed(1)}×`,
      target: '≤ 40',
      ok: ours.perMinute <= 40,
    },
  ];
}
