import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Place } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { countWalkers } from '#shared/walkers/contract.ts';
import { walkerStep } from '#shared/walkers/rules.ts';
import { townWalkers } from '../../api/features/walkers/collections.ts';
import { weekOf } from '../../api/features/walkers/routes.ts';
import { users } from '../../api/platform/session/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

/** Cairo, Illinois. */
const query = { latitude: 37.01, longitude: -89.18 };
const asked = () => api.call(countWalkers, { query });

const signedUpBefore = ({ user }: TestPerson, days: number) =>
  users(api.db).updateOne(
    { _id: user.id },
    { $set: { created_at: new Date(Date.now() - days * DAY_MS) } },
  );
let people = 0;
/** An owner who has walked for a year, and is at a place. */
async function walkerAt(place: Place): Promise<TestPerson> {
  const walker = await api.as(`walker.${(people += 1)}@example.com`);
  await makeProfile(walker, { is_location_sharing_enabled: true });
  await signedUpBefore(walker, 365);
  await walker.call(reportLocation, { body: place });
  return walker;
}
const countedIn = (name: string) =>
  townWalkers(api.db).countDocuments({ town: { $regex: `^${name} ` } });

test('counts who walks in a town once a week, and tells visitors last week’s number in steps from 5', async () => {
  const walker = await walkerAt(query);
  await api.runJobs();
  await api.runJobs();
  const rows = await townWalkers(api.db).find().toArray();
  expect(rows).toMatchObject([
    { town: expect.stringMatching(/^Cairo /), week: weekOf(Date.now()) },
  ]);
  expect(JSON.stringify(rows)).not.toContain(walker.user.id);
  const nobodyYet = { town: { name: 'Cairo', detail: 'Illinois, United States' }, walkers: null };
  expect(await asked()).toMatchObject(nobodyYet);

  const [row] = rows;
  const lastWeek = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...row!,
      _id: `${count} ${n}`,
      week: row!.week - 1,
    }));
  await townWalkers(api.db).insertMany(lastWeek(4));
  expect(await asked()).toMatchObject(nobodyYet);
  await townWalkers(api.db).insertMany(lastWeek(5));
  expect(await asked()).toMatchObject({ walkers: 5 });
});

test('counts everybody in their own town, whoever walks near its border', async () => {
  // Illinois; the towns are 4 km apart.
  await walkerAt({ latitude: 37.4459, longitude: -88.305 });
  await walkerAt({ latitude: 37.4237, longitude: -88.3461 });
  await api.runJobs();
  expect([await countedIn('Elizabethtown'), await countedIn('Rosiclare')]).toEqual([1, 1]);
});

test('counts no one who signed up less than a week ago', async () => {
  const carbondale = { latitude: 37.727, longitude: -89.217 };
  const newcomer = await walkerAt(carbondale);
  await signedUpBefore(newcomer, 6);
  await walkerAt(carbondale);
  await api.runJobs();
  expect(await countedIn('Carbondale')).toBe(1);
  await signedUpBefore(newcomer, 8);
  await api.runJobs();
  expect(await countedIn('Carbondale')).toBe(2);
});

test('tells no number of the middle of the sea', async () => {
  expect(await api.call(countWalkers, { query: { latitude: 0, longitude: -30 } })).toEqual({
    town: null,
    walkers: null,
    attributions: [],
  });
});

test('numbers are steps', () => {
  expect([0, 4, 5, 9, 10, 1_999].map(walkerStep)).toEqual([null, null, 5, 5, 10, 1_000]);
});

test('a week begins on Monday', () => {
  const monday = Date.UTC(2026, 10, 23);
  expect(weekOf(monday) - weekOf(monday - 1)).toBe(1);
  expect(weekOf(monday + 6 * DAY_MS)).toBe(weekOf(monday));
});
