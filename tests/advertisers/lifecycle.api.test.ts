import type { Db } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { bookingStatus, listingStatus } from '#shared/ads/rules.ts';
import { businessListings } from '../../api/features/ads/collections.ts';
import { type AdvertiserRow, advertisers } from '../../api/features/advertisers/collections.ts';
import type { AdvertiserEmail, AdvertiserEmails } from '../../api/features/advertisers/emails.ts';
import { sendLifecycleEmails } from '../../api/features/advertisers/lifecycle.ts';
import { makeBooking } from '../ads/made-ads.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { closeTestDatabase, openTestDatabase } from '../databases.ts';
import { makeListing } from './made-listings.ts';
import { DAY_MS, HOUR_MS } from './sign-up.ts';

let api: TestApi;
let db: Db;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  db = await openTestDatabase(inject('mongodbUri'));
  const at = new Date(0);
  const advertiser: AdvertiserRow = {
    _id: 'an advertiser',
    email: 'kim@shop.example',
    company_name: 'Kibble & Co',
    contact_name: 'Kim',
    phone: null,
    billing_address: null,
    words: [],
    time_zone: 'America/New_York',
    created_at: at,
    updated_at: at,
  };
  await advertisers(db).insertOne(advertiser);
});
afterAll(async () => {
  await closeTestDatabase(db);
  await api.close();
});

/** Creates a recorder that stores each email once per cause. */
function recordEmails() {
  const sent = new Map<string, AdvertiserEmail>();
  const emails: AdvertiserEmails = {
    async send(cause, _advertiser, email) {
      if (!sent.has(cause)) sent.set(cause, email);
    },
    recall: async () => false,
    runJob: async () => {},
  };
  const sendAt = async (at: number) => {
    const before = sent.size;
    await sendLifecycleEmails({ db }, emails, new Date(at));
    return [...sent.values()].slice(before);
  };
  return { sendAt, sent };
}
const headings = (emails: AdvertiserEmail[]) => emails.map(({ heading }) => heading);

test('emails once that an ad is live and once that it finished, even when clocks go back', async () => {
  // In New York the ad runs from 11 PM to 2 AM, which is four hours because clocks go back.
  const start = Date.UTC(2026, 10, 1, 3);
  const end = start + 4 * HOUR_MS;
  const row = await makeBooking(
    { db },
    {
      scheduled_start_at: new Date(start),
      scheduled_end_at: new Date(end),
      impressions: 7,
      clicks: 1,
    },
  );
  const status = (at: number) => bookingStatus(row, new Date(at));
  expect([start - 1, start, end - 1, end].map(status)).toEqual([
    'scheduled',
    'active',
    'active',
    'completed',
  ]);
  const { sendAt } = recordEmails();
  expect(await sendAt(start - 1)).toEqual([]);
  const [live] = await sendAt(start);
  expect(live).toMatchObject({
    heading: 'Your ad is live',
    parts: [{ quote: 'The Groomer' }, expect.stringContaining('2:00 AM EST') as string],
  });
  expect(await sendAt(start + HOUR_MS)).toEqual([]);
  // A clock that is set back sends no email twice.
  expect(await sendAt(start - HOUR_MS)).toEqual([]);
  expect(await sendAt(end)).toEqual([]);
  const [finished] = await sendAt(end + 5 * 60_000);
  expect(finished).toMatchObject({
    heading: 'Your ad has finished',
    parts: [
      { quote: 'The Groomer' },
      expect.stringContaining('seen 7 times and clicked 1 time') as string,
    ],
  });
  expect(await sendAt(end + DAY_MS)).toEqual([]);
});

test('skips an outdated lifecycle email after a server outage', async () => {
  const start = Date.UTC(2026, 11, 1, 10);
  await makeBooking(
    { db },
    {
      scheduled_start_at: new Date(start),
      scheduled_end_at: new Date(start + 4 * HOUR_MS),
    },
  );
  const { sendAt } = recordEmails();
  expect(headings(await sendAt(start + DAY_MS))).toEqual(['Your ad has finished']);
});

test('sends no lifecycle emails for canceled, unpaid, or refunded ads', async () => {
  const start = Date.UTC(2027, 0, 1, 10);
  const times = {
    scheduled_start_at: new Date(start),
    scheduled_end_at: new Date(start + 4 * HOUR_MS),
  };
  await makeBooking({ db }, { ...times, cancelled_at: new Date(start - HOUR_MS) });
  for (const payment_status of ['pending', 'failed', 'refunded'] as const)
    await makeBooking({ db }, { ...times, payment_status });
  const { sendAt } = recordEmails();
  expect(await sendAt(start + HOUR_MS)).toEqual([]);
  expect(await sendAt(start + DAY_MS)).toEqual([]);
});

test('emails once when a listing ends, and again after a renewal ends', async () => {
  const end = Date.UTC(2027, 2, 14, 12);
  const row = await makeListing({ db }, { subscription_end_date: new Date(end) });
  expect(listingStatus(row, new Date(end - 1))).toBe('active');
  expect(listingStatus(row, new Date(end))).toBe('expired');
  const { sendAt } = recordEmails();
  expect(await sendAt(end)).toEqual([]);
  expect(headings(await sendAt(end + HOUR_MS))).toEqual(['Your listing has ended']);
  expect(await sendAt(end + DAY_MS)).toEqual([]);
  await businessListings(db).updateOne(
    { _id: row._id },
    { $set: { subscription_end_date: new Date(end + 30 * DAY_MS) }, $push: { paid: 'another' } },
  );
  expect(await sendAt(end + 2 * DAY_MS)).toEqual([]);
  expect(headings(await sendAt(end + 31 * DAY_MS))).toEqual(['Your listing has ended']);
});
