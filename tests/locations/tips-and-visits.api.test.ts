import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
} from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WAITED_HEADER } from '#shared/deferred-calls.ts';
import {
  createTip,
  createVisit,
  deleteTip,
  getLocation,
  reportProblem,
  updateTip,
  voteForTip,
} from '#shared/locations/contract.ts';
import type { LocationTip, WalkLocation } from '#shared/locations/schemas.ts';
import { DAY_MS } from '#shared/time.ts';
import type { LocationRow } from '../../api/features/locations/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { makePlace } from './made-places.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;
let kim: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  [alex, sam, kim] = await Promise.all([
    api.as('alex@example.com'),
    api.as('sam@example.com'),
    api.as('kim@example.com'),
  ]);
});
afterAll(() => api.close());

let corner = 0;
const place = (): Promise<WalkLocation> =>
  makePlace(alex, { name: 'Green', latitude: 10 + (corner += 1), longitude: 5 });
const read = async (person: TestPerson, { id }: { id: string }) =>
  (await person.call(getLocation, { params: { id } })).location;
const addTip = async (
  person: TestPerson,
  { id }: { id: string },
  fields: Partial<LocationTip> = {},
): Promise<LocationTip> => {
  const body = { location_id: id, title: 'Shade', content: 'Under the oaks.', ...fields };
  return (await person.call(createTip, { body })).tip;
};
const vote = (person: TestPerson, { id }: LocationTip, is_helpful = true) =>
  person.call(voteForTip, { params: { id }, body: { is_helpful } });
const visit = (person: TestPerson, { id }: { id: string }, rating?: number) =>
  person.call(createVisit, { body: { location_id: id, rating } });

const noTip = { error: 'Tip not found', code: 'not_found' };

describe('a tip', () => {
  test('creates a tip from the form, general and public by default', async () => {
    const green = await place();
    const body = { location_id: green.id, title: ' Shade ', content: ' Under the oaks. ' };
    const { tip } = await sam.call(createTip, { body });
    expect(tip).toEqual({
      id: tip.id,
      location_id: green.id,
      creator_user_id: sam.user.id,
      author_name: null,
      tip_type: 'general',
      title: 'Shade',
      content: 'Under the oaks.',
      is_helpful_count: 0,
      is_public: true,
      is_active: true,
      created_at: tip.created_at,
    });
    expect(await read(kim, green)).toMatchObject({
      tip_count: 1,
      tips: [{ ...tip, author_name: 'Sam', is_helpful: false }],
      is_used_by_others: true,
    });
  });

  test.each<[object, Record<string, string>, string]>([
    [{ title: '' }, { title: 'Required' }, 'Required'],
    [{ content: ' ' }, { content: 'Required' }, 'Required'],
    [{ location_id: undefined }, { location_id: 'Required' }, 'Required'],
    [{ title: 'x'.repeat(101) }, { title: 'Invalid input' }, 'Invalid input'],
    [{ content: 'x'.repeat(1001) }, { content: 'Invalid input' }, 'Invalid input'],
    [{ tip_type: 'gossip' }, { tip_type: 'Invalid input' }, 'Invalid input'],
    [{ is_public: 'no' }, { is_public: 'Invalid input' }, 'Invalid input'],
  ])('rejects a tip with %j', async (wrong, fields, error) => {
    const body = { location_id: 'any', title: 'A', content: 'B', ...wrong };
    await expectRefused(alex.call(createTip, { body }), 400, { error, fields });
  });

  test('rejects a tip for an unknown location', async () => {
    const body = { location_id: 'nowhere', title: 'A', content: 'B' };
    await expectRefused(alex.call(createTip, { body }), 404, { error: 'Location not found' });
  });

  test('creates a tip once when it is sent twice under one idempotency key', async () => {
    const green = await place();
    const body = { location_id: green.id, title: 'A', content: 'B' };
    const { tip } = await sam.call(createTip, { body, idempotencyKey: 'tip' });
    await api.db.collection('idempotency_keys').deleteMany({});
    expect(await sam.call(createTip, { body, idempotencyKey: 'tip' })).toMatchObject({
      tip: { id: tip.id },
    });
    expect(await read(kim, green)).toMatchObject({ tip_count: 1, tips: [{ id: tip.id }] });
  });

  test('a private tip is visible to its author only and not counted', async () => {
    const green = await place();
    const tip = await addTip(sam, green, { is_public: false });
    expect(await read(sam, green)).toMatchObject({ tip_count: 0, tips: [{ id: tip.id }] });
    expect(await read(kim, green)).toMatchObject({ tip_count: 0, tips: [] });
    await expectRefused(vote(kim, tip), 404, noTip);
    const body = { location_id: green.id, tip_id: tip.id, report_type: 'spam' as const };
    await expectRefused(kim.call(reportProblem, { body }), 404, noTip);
  });

  test('only the author can change and remove a tip', async () => {
    const green = await place();
    const tip = await addTip(sam, green);
    const params = { id: tip.id };
    const body = { title: 'Sun', content: 'All day.', tip_type: 'safety' as const };
    await expectRefused(alex.call(updateTip, { params, body }), 404, noTip);
    await expectRefused(alex.call(deleteTip, { params }), 404, noTip);
    expect(await sam.call(updateTip, { params, body })).toMatchObject({ tip: body });
    expect(await read(kim, green)).toMatchObject({ tip_count: 1, tips: [body] });
    expect(await sam.call(deleteTip, { params })).toEqual({});
    expect(await read(kim, green)).toMatchObject({ tip_count: 0, tips: [] });
    await expectRefused(sam.call(deleteTip, { params }), 404, noTip);
  });

  test('sorts tips by helpful votes, and counts each voter once', async () => {
    const green = await place();
    const [older, newer] = [await addTip(sam, green, { title: 'A' }), await addTip(sam, green)];
    expect((await read(kim, green)).tips.map(({ id }) => id)).toEqual([newer.id, older.id]);
    await Promise.all([vote(kim, older), vote(kim, older), vote(alex, older)]);
    expect(await vote(kim, older)).toEqual({ is_helpful_count: 2 });
    expect((await read(kim, green)).tips).toMatchObject([
      { id: older.id, is_helpful_count: 2, is_helpful: true },
      { id: newer.id, is_helpful_count: 0, is_helpful: false },
    ]);
    expect(await vote(kim, older, false)).toEqual({ is_helpful_count: 1 });
    expect(await vote(kim, older, false)).toEqual({ is_helpful_count: 1 });
    await expectRefused(vote(sam, older), 400, { error: 'You can’t vote for your own tip' });
    await expectRefused(vote(sam, { ...older, id: 'nothing' }), 404, noTip);
  });

  test('a tip of a location that became private answers votes as unknown', async () => {
    const green = await place();
    const tip = await addTip(sam, green);
    await api.db
      .collection<LocationRow>('locations')
      .updateOne({ _id: green.id }, { $set: { is_public: false } });
    await expectRefused(vote(kim, tip), 404, noTip);
    await expectRefused(vote(kim, { ...tip, id: 'nothing' }), 404, noTip);
    expect(await vote(alex, tip)).toEqual({ is_helpful_count: 1 });
  });

  test('twelve tips at once all appear at the location', async () => {
    const green = await place();
    const titles = Array.from({ length: 12 }, (_, index) => `Tip ${index}`);
    await Promise.all(titles.map((title) => addTip(sam, green, { title })));
    const row = await api.db
      .collection<LocationRow>('locations')
      .findOne({ _id: green.id }, { projection: { tips: 1, tip_count: 1 } });
    expect(row?.tip_count).toBe(12);
    const { tips } = await read(kim, green);
    expect(row?.tips.map(({ _id }) => _id)).toEqual(tips.slice(0, 10).map(({ id }) => id));
  });
});

describe('a visit', () => {
  test('stores a visit with its rating, notes and position', async () => {
    const green = await place();
    const { latitude, longitude } = green;
    const said = { rating: 3, notes: 'Muddy.', latitude: latitude + 0.001, longitude };
    const answer = await sam.call(createVisit, { body: { location_id: green.id, ...said } });
    expect(answer.visit).toEqual({
      id: answer.visit.id,
      location_id: green.id,
      user_id: sam.user.id,
      visit_date: answer.visit.visit_date,
      ...said,
    });
    expect(await visit(kim, green)).toMatchObject({
      visit: { rating: null, notes: null, latitude: null, longitude: null },
    });
    expect(await read(sam, green)).toMatchObject({
      visit_count: 2,
      average_rating: 3,
      own_rating: 3,
    });
  });

  test.each<[object, Record<string, string>, string]>([
    [{ location_id: undefined }, { location_id: 'Required' }, 'Required'],
    [{ rating: 0 }, { rating: 'Invalid input' }, 'Invalid input'],
    [{ rating: 6 }, { rating: 'Invalid input' }, 'Invalid input'],
    [{ rating: 2.5 }, { rating: 'Invalid input' }, 'Invalid input'],
    [{ notes: 'x'.repeat(501) }, { notes: 'Invalid input' }, 'Invalid input'],
    [{ latitude: 91 }, { latitude: 'Invalid input' }, 'Invalid input'],
    [{ longitude: 181 }, { longitude: 'Invalid input' }, 'Invalid input'],
  ])('rejects a visit with %j', async (wrong, fields, error) => {
    const body = { location_id: 'any', ...wrong };
    await expectRefused(alex.call(createVisit, { body }), 400, { error, fields });
  });

  test('counts simultaneous visits of a user on one day once', async () => {
    const green = await place();
    const visits = await Promise.all([1, 2, 3, 4].map(() => visit(sam, green)));
    expect(new Set(visits.map((answer) => answer.visit.id)).size).toBe(1);
    expect(await read(sam, green)).toMatchObject({ visit_count: 1, average_rating: null });
  });

  test('counts a visit on another day, and only the latest rating of each user', async () => {
    const green = await place();
    await visit(sam, green, 1);
    await api.db
      .collection('location_visits')
      .updateOne({ location_id: green.id }, { $set: { day: '2026-01-01' } });
    expect(await visit(sam, green)).toMatchObject({ visit: { rating: null } });
    expect(await read(sam, green)).toMatchObject({ visit_count: 2, own_rating: 1 });
    await visit(sam, green, 5);
    await visit(kim, green, 2);
    expect(await read(sam, green)).toMatchObject({
      visit_count: 3,
      average_rating: 3.5,
      own_rating: 5,
    });
  });
});

describe('a visit that was queued on a device', () => {
  const visitQueuedFor = (
    person: TestPerson,
    { id }: { id: string },
    ms: unknown,
    rating?: number,
  ) =>
    person.call(createVisit, {
      body: { location_id: id, rating },
      headers: { [WAITED_HEADER]: String(ms) },
    });
  const daysAgo = (date: string) => Math.round((Date.now() - Date.parse(date)) / DAY_MS);

  test('a queued visit counts on the day on which it was made', async () => {
    const green = await place();
    const { visit: older } = await visitQueuedFor(sam, green, 3 * DAY_MS);
    expect(daysAgo(older.visit_date)).toBe(3);
    // The same day from another queued device is the same visit. Today's is another one.
    expect((await visitQueuedFor(sam, green, 3 * DAY_MS)).visit.id).toBe(older.id);
    expect((await visit(sam, green)).visit.id).not.toBe(older.id);
    expect(await read(sam, green)).toMatchObject({ visit_count: 2 });
  });

  test('limits the age of a queued visit to 28 days and ignores times in the future', async () => {
    for (const [ms, days] of [
      [40 * DAY_MS, 28],
      ['1e99', 28],
      [-3 * DAY_MS, 0],
      ['long', 0],
    ] as const) {
      const { visit: made } = await visitQueuedFor(sam, await place(), ms);
      expect(daysAgo(made.visit_date)).toBe(days);
      expect(Date.parse(made.visit_date)).toBeLessThanOrEqual(Date.now());
    }
  });

  test('a queued visit does not replace the rating of a later day', async () => {
    const green = await place();
    await visit(sam, green, 5);
    await visitQueuedFor(sam, green, 2 * DAY_MS, 1);
    await visitQueuedFor(sam, green, 2 * DAY_MS, 2);
    expect(await read(sam, green)).toMatchObject({
      visit_count: 2,
      own_rating: 5,
      average_rating: 5,
    });
    await visitQueuedFor(sam, green, 0, 4);
    expect(await read(kim, green)).toMatchObject({ average_rating: 4 });
  });
});

describe('totals of visits and ratings', () => {
  const sums = () =>
    api.db
      .collection<LocationRow>('locations')
      .find({}, { projection: { _id: 0, visit_count: 1, rating_sum: 1, rating_count: 1 } })
      .sort({ _id: 1 })
      .toArray();

  test('totals are correct in whatever order people visit and rate', async () => {
    const step = record({
      who: constantFrom('alex', 'sam', 'kim'),
      rating: option(integer({ min: 1, max: 5 }), { nil: undefined }),
      nextDay: boolean(),
    });
    const people = { alex, sam, kim };
    await assert(
      asyncProperty(array(step, { maxLength: 8 }), async (steps) => {
        const green = await place();
        const latest = new Map<string, number>();
        const days = new Set<string>();
        let day = 0;
        for (const { who, rating, nextDay } of steps) {
          if (nextDay) {
            // Moves all visits so far to a past day.
            await api.db
              .collection('location_visits')
              .updateMany(
                { location_id: green.id, day: { $gt: '2020' } },
                { $set: { day: `1999-${String((day += 1)).padStart(3, '0')}` } },
              );
          }
          await visit(people[who], green, rating);
          days.add(`${who} ${day}`);
          if (rating !== undefined) latest.set(who, rating);
        }
        const row = await api.db.collection<LocationRow>('locations').findOne({ _id: green.id });
        expect(row).toMatchObject({
          visit_count: days.size,
          rating_sum: [...latest.values()].reduce((sum, rating) => sum + rating, 0),
          rating_count: latest.size,
        });
      }),
      { numRuns: 10 },
    );
  });

  test('the background job corrects totals after a crash between two writes', async () => {
    const green = await place();
    await visit(sam, green, 4);
    await addTip(kim, green);
    const right = await read(alex, green);
    const before = await sums();
    const locations = api.db.collection<LocationRow>('locations');
    await locations.updateOne(
      { _id: green.id },
      { $set: { visit_count: 9, rating_sum: 1, tip_count: 0, tips: [] } },
    );
    // Long enough ago that no write can be in progress.
    await locations.updateMany({}, { $set: { changed_at: new Date(Date.now() - 61_000) } });
    await api.runJobs();
    await expect.poll(() => locations.countDocuments({ is_checked: false })).toBe(0);
    expect(await read(alex, green)).toEqual(right);
    expect(await sums()).toEqual(before);
  });
});

describe('a report', () => {
  test('stores one report per user and subject for admins', async () => {
    const green = await place();
    const tip = await addTip(sam, green);
    const about = { location_id: green.id };
    const report = (body: object) =>
      kim.call(reportProblem, { body: { report_type: 'wrong_place', ...about, ...body } });
    expect(await report({ description: ' It is a car park. ' })).toEqual({});
    await report({ report_type: 'duplicate' });
    await report({ tip_id: tip.id, report_type: 'inappropriate' });
    const rows = await api.db
      .collection('location_reports')
      .find(about)
      .sort({ kind: 1 })
      .toArray();
    expect(rows).toMatchObject([
      { kind: 'location', report_type: 'duplicate', description: null, status: 'pending' },
      { kind: 'tip', subject_id: tip.id, report_type: 'inappropriate' },
    ]);
  });

  test.each<[object, Record<string, string>]>([
    [{ report_type: 'boring' }, { report_type: 'Invalid input' }],
    [{ report_type: undefined }, { report_type: 'Required' }],
    [{ description: 'x'.repeat(501) }, { description: 'Invalid input' }],
  ])('rejects a report with %j', async (wrong, fields) => {
    const body = { location_id: 'any', report_type: 'spam' as const, ...wrong };
    await expectRefused(alex.call(reportProblem, { body }), 400, { fields });
  });

  test('rejects a report about an unknown tip or location', async () => {
    const green = await place();
    const body = { location_id: green.id, tip_id: 'nothing', report_type: 'spam' as const };
    await expectRefused(kim.call(reportProblem, { body }), 404, noTip);
    await expectRefused(
      kim.call(reportProblem, { body: { ...body, location_id: 'nowhere' } }),
      404,
      { error: 'Location not found' },
    );
  });
});
