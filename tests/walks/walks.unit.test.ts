import { beforeEach, describe, expect, test, vi } from 'vitest';
import { METERS_PER_DEGREE } from '#shared/place.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { isQuiet, type QuietPlace } from '#shared/settings/rules.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { US } from '#shared/units.ts';
import type { Fix } from '../../client/features/proximity/tracking/tracker.ts';
import { DistanceMeter } from '../../client/features/walks/distance-meter.ts';
import { formatDuration } from '../../client/features/walks/format.ts';
import { monthDays } from '../../client/features/walks/history/walk-calendar.tsx';
import { totalsOf, weeksOf } from '../../client/features/walks/history/weeks.ts';
import {
  partsOf,
  type Route,
  ROUTE_POINTS_MAX,
  withPoint,
} from '../../client/features/walks/route.ts';
import { keepWalks, takeStoredWalks } from '../../client/features/walks/stored-walks.ts';
import { WalkHistory } from '../../client/features/walks/walk-history.ts';
import { WalkRecorder } from '../../client/features/walks/walk-recorder.ts';
import { durationOf, startWalk, type Walk } from '../../client/features/walks/walk.ts';
import { readWalksFile, walksFile } from '../../client/features/walks/walks-file.ts';
import type { UserDocuments } from '../../client/platform/sync/documents/user-documents.ts';
import { openDatabase } from '../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../fresh-indexed-db.ts';

/** A fix some meters north, some seconds after the start. */
const fixAt = (meters: number, seconds: number, accuracy: number | null = 5, start = 0): Fix => ({
  latitude: meters / METERS_PER_DEGREE,
  longitude: 0,
  accuracy,
  speed: null,
  heading: null,
  at: start + seconds * 1000,
});

const measure = (fixes: Fix[]): number => {
  const meter = new DistanceMeter();
  return fixes.reduce((meters, fix) => meters + meter.add(fix), 0);
};

describe('the distance of a walk', () => {
  test('adds up the moves of a walker', () => {
    const fixes = Array.from({ length: 101 }, (_, i) => fixAt(i * 7, i * 5));
    expect(measure(fixes)).toBeCloseTo(700, 0);
  });

  test('ignores the jitter of a receiver at rest', () => {
    const fixes = Array.from({ length: 600 }, (_, i) => fixAt((i * 7) % 10, i, 8));
    expect(measure(fixes)).toBe(0);
  });

  test('ignores moves below the accuracy of the fix', () => {
    expect(measure([fixAt(0, 0), fixAt(25, 60, 30)])).toBe(0);
    expect(measure([fixAt(0, 0), fixAt(35, 60, 30)])).toBeCloseTo(35, 0);
  });

  test('ignores fixes that are rough or have no accuracy', () => {
    expect(measure([fixAt(0, 0), fixAt(400, 60, 51), fixAt(15, 70)])).toBeCloseTo(15, 0);
    expect(measure([fixAt(0, 0), fixAt(100, 60, null)])).toBeCloseTo(100, 0);
  });

  test('ignores jumps and rides', () => {
    expect(measure([fixAt(0, 0), fixAt(500, 10), fixAt(0, 20), fixAt(20, 40)])).toBeCloseTo(20, 0);
  });
});

const rex = { name: 'Rex', sound_type: 'leash_on', image_key: null } as const;
const near = (user_id: string, distance_feet = 60): NearbyUser => ({
  user_id,
  display_name: user_id,
  distance_feet,
  dogs: [rex],
});

/** When the walks of these tests begin. */
const T0 = Date.now() - 6 * HOUR_MS;

/** The part of a user's documents that `WalkHistory` uses. */
const documentsOf = () =>
  ({
    userId: 'ann',
    database: openDatabase('ann'),
    isClosed: false,
    noteRefusing() {},
    noteUnreadable() {},
  }) as unknown as UserDocuments;

async function openHistory(): Promise<WalkHistory> {
  const history = new WalkHistory(documentsOf());
  await history.loaded;
  return history;
}

describe('recording', () => {
  beforeEach(freshIndexedDb);

  test('a walk goes on after the page was reloaded', async () => {
    const before = new WalkRecorder(await openHistory());
    for (let i = 0; i <= 60; i += 5) before.fix(fixAt(i * 1.4, i, 5, T0));
    before.nearby([near('Bob')], T0 + 30_000);
    const history = await openHistory();
    const after = new WalkRecorder(history);
    for (let i = 70; i <= 130; i += 5) after.fix(fixAt(i * 1.4, i, 5, T0));
    const walk = await history.end(true, T0 + 130_000);
    expect(history.getAll()).toEqual([walk]);
    expect(durationOf(walk!, 0)).toBe(130_000);
    // The way between the two is not measured.
    expect(walk!.distanceMeters).toBeGreaterThan(120);
    expect(walk!.distanceMeters).toBeLessThan(170);
    expect(walk!.met).toMatchObject([{ display_name: 'Bob', dogs: [rex], isCompanion: false }]);
    expect(walk!.route!.at(0)).toEqual([0, 0, 0]);
    expect(walk!.route!.at(-1)?.[2]).toBeGreaterThan(110);
  });

  test('a walk goes on after half an hour in the background, and counts the way in between', async () => {
    const history = await openHistory();
    const recorder = new WalkRecorder(history);
    for (let i = 0; i <= 120; i += 5) recorder.fix(fixAt(i * 1.4, i, 5, T0));
    recorder.fix(fixAt(1500, 1920, 5, T0));
    const walk = await history.end(true, T0 + 1_920_000);
    expect(walk!.distanceMeters).toBeCloseTo(1500, -1);
    expect(history.getAll()).toHaveLength(1);
  });

  test('a walk that was forgotten ends when the owner last moved, and none begins until they move', async () => {
    const history = await openHistory();
    const recorder = new WalkRecorder(history);
    for (let i = 0; i <= 120; i += 5) recorder.fix(fixAt(i * 1.4, i, 5, T0));
    const { movedAt } = history.getCurrent()!;
    for (let i = 150; i <= 5000; i += 30) recorder.fix(fixAt(168, i, 5, T0));
    expect(history.getCurrent()).toBeNull();
    expect(history.getAll()).toMatchObject([{ endedAt: movedAt }]);
    recorder.fix(fixAt(190, 5030, 5, T0));
    expect(history.getCurrent()).toMatchObject({ startedAt: T0 + 5_030_000 });
  });

  test('only people within 100 ft were met, each once, with the last minute', async () => {
    const history = await openHistory();
    const recorder = new WalkRecorder(history);
    recorder.fix(fixAt(0, 0, 5, T0));
    recorder.nearby([near('Bob'), near('Far', 250), { ...near('x'), is_anonymous: true }], T0);
    recorder.nearby([near('Bob', 20)], T0 + 10 * MINUTE_MS);
    const minute = Math.floor(T0 / MINUTE_MS) * MINUTE_MS + 10 * MINUTE_MS;
    expect(history.getCurrent()!.met).toEqual([
      { user_id: 'Bob', display_name: 'Bob', dogs: [rex], at: minute, isCompanion: false },
    ]);
  });

  test('companions that the owner marked stay marked when they are met again', async () => {
    const history = await openHistory();
    const recorder = new WalkRecorder(history);
    recorder.fix(fixAt(0, 0, 5, T0));
    recorder.nearby([near('Bob'), near('Cat')], T0);
    const [bob] = history.getCurrent()!.met;
    await history.setCompanion(history.getCurrent()!.id, { ...bob!, isCompanion: true });
    recorder.nearby([near('Bob'), near('Cat')], T0 + MINUTE_MS);
    expect(history.getCurrent()!.met).toMatchObject([
      { user_id: 'Bob', isCompanion: true },
      { user_id: 'Cat', isCompanion: false },
    ]);
  });

  test('a walk of seconds is not stored, nor one of a computer that stayed at home', async () => {
    const history = await openHistory();
    const recorder = new WalkRecorder(history);
    recorder.fix(fixAt(0, 0, 5, T0));
    expect(await history.end(true, T0 + 5000)).toBeNull();
    expect(history.getAll()).toEqual([]);
    for (let i = 10; i <= 600; i += 30) recorder.fix(fixAt(0, i, 5, T0));
    expect(await history.end(false, T0 + 600_000)).toBeNull();
    for (let i = 610; i <= 1200; i += 30) recorder.fix(fixAt(0, i, 5, T0));
    expect(await history.end(true, T0 + 1_200_000)).toMatchObject({ distanceMeters: 0 });
    expect((await openHistory()).getAll()).toHaveLength(1);
  });
});

describe('the route', () => {
  beforeEach(freshIndexedDb);
  const home = (meters: number): QuietPlace => ({
    id: 'home',
    name: 'Home',
    latitude: meters / METERS_PER_DEGREE,
    longitude: 0,
    radius_feet: 100,
  });

  test('has no point in a quiet place, and none that is rough', async () => {
    const history = await openHistory();
    const quiet = [home(0)];
    const recorder = new WalkRecorder(history, {
      isQuiet: (fix) => isQuiet(fix, quiet),
      dogs: () => ['Rex'],
    });
    for (let i = 0; i <= 100; i += 5) recorder.fix(fixAt(i * 1.4, i, 5, T0));
    recorder.fix(fixAt(160, 110, 60, T0));
    const { route = [], dogs } = history.getCurrent()!;
    expect(dogs).toEqual(['Rex']);
    expect(route.length).toBeGreaterThan(5);
    for (const [latitude] of route) expect(latitude * METERS_PER_DEGREE).toBeGreaterThan(30);
    expect(route.at(-1)![0] * METERS_PER_DEGREE).toBeGreaterThan(125);
    expect(route.at(-1)![0] * METERS_PER_DEGREE).toBeLessThan(141);
  });

  test('is bounded, and keeps its start and its end', () => {
    let route: Route = [];
    for (let i = 0; i < 5_000; i += 1) route = withPoint(route, fixAt(i * 10, 0), i * 8);
    expect(route.length).toBeLessThanOrEqual(ROUTE_POINTS_MAX);
    expect(route[0]).toEqual([0, 0, 0]);
    expect(route.at(-1)?.[2]).toBe(39_992);
  });

  test('is shown without places that became quiet later, and without a line across what isn’t known', () => {
    const point = (meters: number, seconds: number): Route[number] => [
      meters / METERS_PER_DEGREE,
      0,
      seconds,
    ];
    const route = [0, 20, 40, 60, 80, 100, 120].map((meters) => point(meters, meters));
    const later = [point(600, 700), point(620, 715)];
    const seconds = partsOf([...route, ...later], [home(60)]).map((part) =>
      part.map((at) => at[2]),
    );
    expect(seconds).toEqual([
      [0, 20],
      [100, 120],
      [700, 715],
    ]);
  });
});

const walkOf = (startedAt: number, minutes: number, distanceMeters: number): Walk => ({
  ...startWalk(startedAt),
  endedAt: startedAt + minutes * MINUTE_MS,
  updatedAt: startedAt + minutes * MINUTE_MS,
  distanceMeters,
});

describe('the history', () => {
  beforeEach(freshIndexedDb);

  test('marks companions, deletes single walks and all of them', async () => {
    const history = await openHistory();
    const person = { ...near('Bob'), at: Date.now(), isCompanion: false };
    const walk = { ...walkOf(Date.now() - HOUR_MS, 30, 2000), met: [person], metCount: 1 };
    await history.save(walk);
    await history.save(walkOf(Date.now() - DAY_MS, 20, 900));
    await history.setCompanion(walk.id, { ...person, isCompanion: true });
    await history.setCompanion(walk.id, { ...person, user_id: 'Cat', isCompanion: true });
    const again = await openHistory();
    expect(again.getAll()![0]).toMatchObject({
      metCount: 2,
      met: [{ user_id: 'Bob', isCompanion: true }, { user_id: 'Cat' }],
    });
    await again.remove([walk.id]);
    expect((await openHistory()).getAll()).toHaveLength(1);
    await again.remove(again.getAll()!.map(({ id }) => id));
    expect((await openHistory()).getAll()).toEqual([]);
  });

  test('removes names after 30 days, except of companions', async () => {
    const at = Date.now() - 31 * DAY_MS;
    const person = { ...near('Bob'), at, isCompanion: false };
    const met = [person, { ...person, user_id: 'Cat', isCompanion: true }];
    await (await openHistory()).save({ ...walkOf(at, 30, 2000), met, metCount: 2 });
    expect((await openHistory()).getAll()).toMatchObject([
      { metCount: 2, met: [{ user_id: 'Cat' }] },
    ]);
  });

  test('an exported file brings walks to another device, once', async () => {
    const walk = walkOf(Date.UTC(2026, 10, 25, 9), 42, 3141);
    const met = [{ ...near('Bob'), at: walk.startedAt, isCompanion: true }];
    const route: Walk['route'] = [
      [51.5, -0.1, 0],
      [51.5001, -0.1, 12],
    ];
    const photo = 'data:image/jpeg;base64,AAAA';
    const { distance_feet: _, ...bob } = met[0]!;
    const all = { ...walk, met: [bob], metCount: 1, route, dogs: ['Rex'], note: 'Muddy.', photo };
    const file = walksFile([all]);
    expect(file.name).toBe('walks.json');
    const history = await openHistory();
    expect(await history.add(readWalksFile(await file.text()))).toBe(1);
    expect(await history.add(readWalksFile(await file.text()))).toBe(0);
    expect((await openHistory()).getAll()).toEqual([
      { ...all, movedAt: walk.endedAt, updatedAt: walk.endedAt },
    ]);
  });

  test('reads files of earlier versions, and refuses others', () => {
    const earlier = {
      started_at: '2026-11-25T09:00:00.000Z',
      ended_at: '2026-11-25T09:42:00.000Z',
      duration_seconds: 2520,
      distance_meters: 3142,
      people_met: 1,
      met: [{ name: 'Bob', dogs: ['Rex'], at: '2026-11-25T09:00:00.000Z', walked_together: true }],
    };
    const [read] = readWalksFile(JSON.stringify([earlier]));
    expect(read).toMatchObject({ distanceMeters: 3142, met: [{ display_name: 'Bob' }] });
    for (const text of ['', '{}', '[{}]', JSON.stringify([{ ...earlier, note: 'x'.repeat(501) }])])
      expect(() => readWalksFile(text)).toThrow();
  });

  test('walks that their owner kept at the logout are there after the next sign-in, and only once', async () => {
    const walk = walkOf(Date.now() - HOUR_MS, 30, 2000);
    await keepWalks('ann', [walk]);
    await keepWalks('bob', [{ ...walk, id: 'of bob' }]);
    const history = await openHistory();
    await expect.poll(() => history.getAll()?.map(({ id }) => id)).toEqual([walk.id]);
    await expect.poll(() => takeStoredWalks('ann')).toBeNull();
    expect((await openHistory()).getAll()).toHaveLength(1);
  });

  test('walks that their owner kept stay kept while the browser does not store them', async () => {
    const walk = walkOf(Date.now() - HOUR_MS, 30, 2000);
    await keepWalks('ann', [walk]);
    const database = await openDatabase('ann');
    vi.spyOn(database, 'commit').mockRejectedValue(new DOMException('', 'QuotaExceededError'));
    vi.spyOn(console, 'warn').mockReturnValue();
    const documents = Object.assign(documentsOf(), { database: Promise.resolve(database) });
    const history = new WalkHistory(documents);
    await expect.poll(() => history.getAll()).toHaveLength(1);
    expect(await history.describe(walk.id, { note: 'Muddy' })).toBe(false);
    expect((await takeStoredWalks('ann'))?.walks).toMatchObject([{ id: walk.id }]);
  });

  test('adds up weeks from Monday, without those before the first walk', () => {
    const now = new Date(2026, 10, 25, 12).getTime();
    const walks = [
      walkOf(new Date(2026, 10, 23, 0, 5).getTime(), 30, 1000),
      walkOf(new Date(2026, 10, 22, 23, 55).getTime(), 30, 500),
      walkOf(new Date(2026, 10, 9, 8).getTime(), 60, 4000),
    ];
    const weeks = weeksOf(walks, now, 8);
    expect(weeks.map(({ distanceMeters }) => distanceMeters)).toEqual([1000, 500, 4000]);
    expect(weeks[0]!.startsAt).toBe(new Date(2026, 10, 23).getTime());
    expect(totalsOf(walks, now)).toEqual({
      count: 3,
      durationMs: 120 * MINUTE_MS,
      distanceMeters: 5500,
    });
  });

  test('a month begins under its weekday', () => {
    const november = monthDays(2026, 10);
    expect(november.slice(0, 7).map((day) => day && new Date(day).getDate())).toEqual([
      ...Array.from({ length: 6 }, () => null),
      1,
    ]);
    expect(november.filter((day) => day !== null)).toHaveLength(30);
  });

  test('formats durations and distances', () => {
    expect([0, 20_500, 42 * MINUTE_MS, HOUR_MS, 65 * MINUTE_MS].map(formatDuration)).toEqual([
      '0 min',
      '20 s',
      '42 min',
      '1 h',
      '1 h 5 min',
    ]);
    expect([0, 100, 161, 3200].map(US.walked)).toEqual([
      '0 feet',
      '328 feet',
      '0.1 miles',
      '2.0 miles',
    ]);
  });
});
