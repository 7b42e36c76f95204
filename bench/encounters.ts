import { RADIUS_METERS } from '#shared/proximity/rules.ts';
import { median } from './quantiles.ts';
import type { BenchRow } from './result-row.ts';
import { apart, type Path, randomFrom, type Spot } from './simulation.ts';
import {
  type Conditions,
  type Line,
  type Outcome,
  QUICK,
  walkOurs,
  walkPolling,
  type Walker,
} from './walkers.ts';

const MEETINGS = 5000;
/** The target of kinds of meetings without a target of their own. */
const FEWER = 1000;
/** At the edge of a cell. */
const SLOW: Line = { lost: 0.1, latency: [500, 2500] };
const DEAF: Line = { ...QUICK, isDeaf: true };
const LINES = new Map([
  [QUICK, ''],
  [SLOW, ', a line of 1 to 5 s'],
  [DEAF, ', no events'],
]);
/** Deviation per axis of a noisy fix, in meters: 3 m off as a rule. */
const NOISE = 2.1;
const MEET_AT = 120_000;

type Walk = (walkers: Walker[], until: number, conditions: Conditions) => Promise<Outcome>;
const percent = (share: number, digits = 1) => `${(share * 100).toFixed(digits)}%`;

const line =
  (at: Spot, speed: number, heading: number): Path =>
  (time) => {
    const seconds = (time - MEET_AT) / 1000;
    return {
      east: at.east + speed * seconds * Math.sin(heading),
      north: at.north + speed * seconds * Math.cos(heading),
    };
  };

/** Two people whose paths are closest at MEET_AT. */
export interface Meeting {
  name: string;
  paths(random: ReturnType<typeof randomFrom>): [Path, Path];
  /** Where each has left a laptop that shares, too. */
  homes?: [Spot, Spot];
}

const headOn = (name: string, speed: number, offset: [number, number]): Meeting => ({
  name,
  paths(random) {
    const aside = random.between(...offset);
    return [line({ east: 0, north: 0 }, speed, 0), line({ east: aside, north: 0 }, speed, Math.PI)];
  },
});
export const WALKERS = headOn('walkers head-on', 1.4, [0, 5]);
const WITH_LAPTOPS: Meeting = {
  ...headOn('walkers head-on, a laptop of each at home', 1.4, [0, 5]),
  homes: [
    { east: 400, north: 300 },
    { east: -400, north: 300 },
  ],
};
export const JOGGERS = headOn('joggers head-on', 2.5, [0, 5]);
const PASSING = headOn('walkers passing at 40 m', 1.4, [40, 40]);
const CROSSING: Meeting = {
  name: 'walkers crossing at right angles',
  paths: () => [line({ east: 0, north: 0 }, 1.4, 0), line({ east: 0, north: 0 }, 1.4, Math.PI / 2)],
};
const STANDING: Meeting = {
  name: 'walker towards one standing still',
  paths: () => [line({ east: 0, north: 0 }, 1.4, 0), () => ({ east: 0, north: 0 })],
};
/** Comes closing, and turns back where the circle is still 5 m away. */
const TURNING: Meeting = {
  name: 'walker who turns back at 35 m',
  paths() {
    const turn = (RADIUS_METERS + 5) / 1.4;
    return [
      (time) => ({ east: 0, north: -1.4 * (Math.abs((time - MEET_AT) / 1000) + turn) }),
      () => ({ east: 0, north: 0 }),
    ];
  },
};

export interface Tally {
  /** Shares: both warned before they met; a person warned before it; anybody warned at all. */
  both: number;
  each: number;
  either: number;
  /** Seconds from the warning to the meeting: the later of the two, median over all meetings… */
  lead: number;
  /** …one person's, where warned before it… */
  eachLead: number;
  /** …and if both had been warned the moment they came within the radius. */
  possible: number;
}

export async function meet(
  walk: Walk,
  meeting: Meeting,
  noise: number,
  count: number,
  line = QUICK,
): Promise<Tally> {
  const random = randomFrom(20_261_121);
  const leads: number[] = [];
  const eachLeads: number[] = [];
  const possible: number[] = [];
  let either = 0;
  for (let index = 0; index < count; index += 1) {
    const [a, b] = meeting.paths(random);
    const walkers: Walker[] = [
      { id: 'a', path: a, from: random.between(0, 30_000) },
      { id: 'b', path: b, from: random.between(0, 30_000) },
    ];
    for (const [which, home] of meeting.homes?.entries() ?? [])
      walkers.push({
        id: which === 0 ? 'a' : 'b',
        device: 'laptop',
        path: () => home,
        from: random.between(0, 30_000),
      });
    const outcome = await walk(walkers, MEET_AT + 15_000, { noise, ...line, random });
    const warned = [
      outcome.warnings.get('a')?.get('b')?.[0] ?? Infinity,
      outcome.warnings.get('b')?.get('a')?.[0] ?? Infinity,
    ];
    if (Math.min(...warned) < Infinity) either += 1;
    leads.push((MEET_AT - Math.max(...warned)) / 1000);
    eachLeads.push(...warned.filter((at) => at < MEET_AT).map((at) => (MEET_AT - at) / 1000));
    let entered = MEET_AT;
    while (entered > 0 && apart(a(entered), b(entered)) <= RADIUS_METERS) entered -= 20;
    possible.push((MEET_AT - entered) / 1000);
  }
  return {
    both: leads.filter((lead) => lead > 0).length / count,
    each: eachLeads.length / count / 2,
    either: either / count,
    lead: median(leads),
    eachLead: median(eachLeads),
    possible: median(possible),
  };
}

async function meetingRows(
  meeting: Meeting,
  noise: number,
  count: number,
  line = QUICK,
): Promise<BenchRow[]> {
  const ours = await meet(walkOurs, meeting, noise, count, line);
  const rival = await meet(walkPolling, meeting, noise, count, line);
  const name = `${meeting.name}, ${noise > 0 ? 'fixes 3 m off' : 'exact fixes'}${LINES.get(line) ?? ''}`;
  const hasTargets = line === QUICK;
  const group = 'encounters';
  return [
    {
      group,
      row: `${name}: both warned before the meeting`,
      ours: percent(ours.both, 2),
      rival: `${percent(rival.both)} (each person: ${percent(rival.each)})`,
      ratio: `${(ours.each / rival.each).toFixed(1)}×`,
      target: hasTargets ? '≥ 99.9%' : '',
      ok: hasTargets ? ours.both >= 0.999 : null,
    },
    {
      group,
      row: `${name}: median warning ahead`,
      ours: `${ours.lead.toFixed(1)} s (${percent(ours.lead / ours.possible)} of the possible ${ours.possible.toFixed(1)} s)`,
      rival: `${rival.eachLead.toFixed(1)} s, of those warned`,
      ratio: `${(ours.lead / rival.eachLead).toFixed(1)}×`,
      target: hasTargets ? '≥ 95% of the possible' : '',
      ok: hasTargets ? ours.lead >= 0.95 * ours.possible : null,
    },
  ];
}

/** People who never come within the radius and must not be warned. */
async function falseAlarmRow(
  meeting: Meeting,
  noise: number,
  count: number,
  most: number | null,
): Promise<BenchRow> {
  const ours = await meet(walkOurs, meeting, noise, count);
  const rival = await meet(walkPolling, meeting, noise, count);
  return {
    group: 'encounters',
    row: `${meeting.name}, ${noise > 0 ? 'fixes 3 m off' : 'exact fixes'}: warned for nothing`,
    ours: percent(ours.either, 2),
    rival: percent(rival.either, 2),
    target: most === null ? '' : `≤ ${percent(most)}`,
    ok: most === null ? null : ours.either <= most,
  };
}

/** The cost for a person who is alone. */
async function aloneRow(): Promise<BenchRow> {
  const hour = 3_600_000;
  const conditions = () => ({
    noise: NOISE,
    lost: 0,
    latency: QUICK.latency,
    random: randomFrom(7),
  });
  const walkers = [{ id: 'a', path: line({ east: 0, north: 0 }, 1.4, 1), from: 500 }];
  const ours = await walkOurs(walkers, hour, conditions());
  const rival = await walkPolling(walkers, hour, conditions());
  return {
    group: 'encounters',
    row: 'alone: requests an hour',
    ours: String(ours.requests),
    rival: String(rival.requests),
    ratio: `${(ours.requests / rival.requests).toFixed(2)}×`,
    target: '≤ the 30 s poll',
    ok: ours.requests <= rival.requests,
  };
}

/** The table's group: 5,000 meetings of each kind, through the api's engine and the browser's tracker. */
export async function encountersBench(meetings = MEETINGS, fewer = FEWER): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const noise of [0, NOISE]) {
    rows.push(...(await meetingRows(WALKERS, noise, meetings)));
    rows.push(...(await meetingRows(JOGGERS, noise, meetings)));
  }
  for (const noise of [0, NOISE]) {
    rows.push(...(await meetingRows(CROSSING, noise, fewer)));
    rows.push(...(await meetingRows(STANDING, noise, fewer)));
    rows.push(...(await meetingRows(WITH_LAPTOPS, noise, fewer)));
    rows.push(...(await meetingRows(WALKERS, noise, fewer, SLOW)));
    rows.push(...(await meetingRows(JOGGERS, noise, fewer, SLOW)));
    rows.push(...(await meetingRows(WALKERS, noise, fewer, DEAF)));
    rows.push(await falseAlarmRow(PASSING, noise, fewer, noise > 0 ? 0.01 : 0));
    // Five meters from the circle a fix that is 3 m off, or a lost report, makes a meeting of it.
    rows.push(await falseAlarmRow(TURNING, noise, fewer, noise > 0 ? null : 0.05));
  }
  rows.push(await aloneRow());
  return rows;
}
