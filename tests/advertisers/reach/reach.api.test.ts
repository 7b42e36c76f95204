import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { estimateReach, getAudience } from '#shared/advertisers/reach-contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS, HOUR_MS } from '#shared/time.ts';
import { adImpressions, viewHours } from '../../../api/features/ads/collections.ts';
import { countViewHours } from '../../../api/features/advertisers/reach/view-hours.ts';
import { makeAd, makeBooking } from '../../ads/made-ads.ts';
import { startTestApi, type TestApi } from '../../api.ts';
import { expectRefused } from '../../refusals.ts';
import { makeListing } from '../made-listings.ts';

let api: TestApi;
/** Noon of today in UTC. */
const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());
beforeEach(async () => {
  await adImpressions(api.db).deleteMany({});
});

/** Counts all hours. The background job of the API counts at its start, before there are views. */
async function countAgain(): Promise<void> {
  await viewHours(api.db).deleteMany({});
  await countViewHours(api.db, new Date());
}

let count = 0;
async function see(
  ad_id: string | number,
  at: number,
  views: number,
  doubt: 'automated' | null = null,
) {
  const rows = Array.from({ length: views }, () => ({
    _id: `view ${++count}`,
    ad_id,
    who: `visitor ${count}`,
    at: new Date(at),
    doubt,
  }));
  if (rows.length > 0) await adImpressions(api.db).insertMany(rows);
}
const timed = async (placement: 'banner' | 'sidebar' | 'inline', start = noon + 5 * DAY_MS) => {
  const scheduled_start_at = new Date(start).toISOString();
  const query = { kind: 'timed', placement, scheduled_start_at } as const;
  return (await api.call(estimateReach, { query })).views;
};

describe('the estimate for a timed ad', () => {
  test('has the views of the placement in the same hours of the last thirty days', async () => {
    const admin = await api.asAdmin();
    const house = await makeAd(admin, { placement: 'banner' });
    const paid = await makeBooking(api, { placement: 'banner' });
    for (let day = 1; day <= 8; day++) {
      // Within the four hours from noon on.
      await see(house.id, noon - day * DAY_MS + HOUR_MS, day);
      await see(paid._id, noon - day * DAY_MS + 3 * HOUR_MS, 10);
      // At another time of the day, and by a robot.
      await see(house.id, noon - day * DAY_MS + 8 * HOUR_MS, 5);
      await see(house.id, noon - day * DAY_MS + HOUR_MS, 3, 'automated');
    }
    await countAgain();
    // 11 to 18 views a day: half of the days are within the quartiles.
    expect(await timed('banner')).toEqual({ low: 13, high: 16 });
    expect(await timed('banner', noon + 8 * HOUR_MS)).toEqual({ low: 5, high: 5 });
    expect(await timed('sidebar')).toBeNull();
  });

  test('is missing until the placement had views on seven days', async () => {
    const paid = await makeBooking(api, { placement: 'inline' });
    for (let day = 1; day <= 6; day++) await see(paid._id, noon - day * DAY_MS, 100);
    await countAgain();
    expect(await timed('inline')).toBeNull();
  });

  test('counts each hour once, and deletes hours of more than thirty days ago', async () => {
    const paid = await makeBooking(api, { placement: 'banner' });
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;
    await see(paid._id, hour, 2);
    await countAgain();
    await see(paid._id, hour, 1);
    await countViewHours(api.db, new Date());
    expect(await viewHours(api.db).findOne({ hour: new Date(hour) })).toMatchObject({ banner: 2 });
    await countViewHours(api.db, new Date(Date.now() + 31 * DAY_MS));
    expect(await viewHours(api.db).findOne({ hour: new Date(hour) })).toBeNull();
  });

  test('rejects a placement that is not sold and an invalid time', async () => {
    await expectRefused(timed('roof' as 'banner'), 400);
    const query = { kind: 'timed', placement: 'banner', scheduled_start_at: 'soon' } as const;
    await expectRefused(api.call(estimateReach, { query }), 400);
  });
});

test('the estimate for a listing needs five others that ran for a week', async () => {
  const local = async () => (await api.call(estimateReach, { query: { kind: 'local' } })).views;
  const created_at = new Date(Date.now() - 10 * DAY_MS);
  for (let number = 1; number <= 4; number++)
    await makeListing(api, { impressions: number * 10, created_at });
  await makeListing(api, { impressions: 5_000, created_at: new Date() });
  expect(await local()).toBeNull();
  await makeListing(api, { impressions: 50, created_at });
  expect(await local()).toEqual({ low: 60, high: 120 });
});

test('the audience is of people with access, in steps', async () => {
  const users = api.db.collection<UserRow>('users');
  const ahead = new Date(Date.now() + 400 * DAY_MS);
  const add = async (number: number, change: Partial<UserRow>) => {
    const rows = Array.from({ length: number }, () => ({
      _id: `user ${++count}`,
      identity: `user ${count}`,
      access_expires_at: ahead,
      ...change,
    }));
    await users.insertMany(rows as UserRow[]);
  };
  // A slow count is cached.
  const expectMembers = (members: number) =>
    expect.poll(() => api.call(getAudience, {}), { timeout: 20_000 }).toEqual({ members });
  await add(99 - (await users.countDocuments({ access_expires_at: { $gt: new Date() } })), {});
  await add(2, { access_expires_at: null });
  await add(2, { access_expires_at: new Date(Date.now() - DAY_MS) });
  await add(2, { suspended_until: ahead });
  await expectMembers(0);
  await add(1, { suspended_until: new Date(Date.now() - DAY_MS) });
  await expectMembers(100);
});
