import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { donationStats, exportDonations, getDonation } from '#shared/payments/admin-contract.ts';
import type { DonationRow } from '../../api/features/payments/collections.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

const HOUR_MS = 3_600_000;
const rowOf = (id: string, change: Partial<DonationRow> = {}): DonationRow => ({
  _id: id,
  holder: 'a browser',
  user_id: null,
  email: null,
  amount_cents: 100,
  currency: 'USD',
  payment_provider: 'stripe',
  payment_id: `pi_${id}`,
  payment_status: 'completed',
  failure: null,
  access_code_granted: null,
  submitted_at: null,
  busy_until: null,
  is_settled: true,
  ip_address: '203.0.113.7',
  user_agent: 'a browser',
  created_at: new Date(),
  updated_at: new Date(),
  ...change,
});

test('totals, searches, filters and sorts donations and hides personal fields', async () => {
  const nothing = await admin.call(donationStats);
  expect(nothing).toMatchObject({
    stats: { total_donations: 0, avg_donation_cents: 0 },
    recentDonations: [],
    total: 0,
  });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  await api.db.collection<DonationRow>('donations').insertMany([
    rowOf('one', {
      email: 'sam@example.com',
      access_code_granted: 'PAW-AAAA',
      created_at: hoursAgo(1),
    }),
    // Partly refunded: only the rest counts.
    rowOf('two', {
      amount_cents: 251,
      returned_cents: 51,
      provider_state: 'partly_refunded',
      created_at: hoursAgo(2),
    }),
    rowOf('three', {
      payment_status: 'failed',
      failure: 'payment_declined',
      submitted_at: hoursAgo(29),
      created_at: hoursAgo(30),
    }),
    rowOf('four', { payment_status: 'refunded', amount_cents: 900, created_at: hoursAgo(40) }),
  ]);
  const all = await admin.call(donationStats);
  expect(all.stats).toEqual({
    total_donations: 4,
    successful_donations: 2,
    failed_donations: 1,
    total_amount_cents: 300,
    avg_donation_cents: 150,
    donations_last_24h: 2,
  });
  expect(all.recentDonations[0]).toEqual({
    id: 'one',
    amount_cents: 100,
    currency: 'USD',
    payment_status: 'completed',
    provider_state: 'clear',
    returned_cents: 0,
    payment_provider: 'stripe',
    email: 'sam@example.com',
    provider_url: 'https://dashboard.stripe.com/payments/pi_one',
    payment_id: 'pi_one',
    access_code_granted: 'PAW-AAAA',
    failure: null,
    submitted_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const ids = async (query: object) =>
    (await admin.call(donationStats, { query })).recentDonations.map(({ id }) => id);
  expect(await ids({})).toEqual(['one', 'two', 'three', 'four']);
  expect(await ids({ sort: 'oldest' })).toEqual(['four', 'three', 'two', 'one']);
  expect(await ids({ sort: 'amount', limit: 2 })).toEqual(['four', 'two']);
  expect(await ids({ status: 'failed' })).toEqual(['three']);
  expect(await ids({ provider_state: 'partly_refunded' })).toEqual(['two']);
  expect(await ids({ provider_state: 'disputed' })).toEqual([]);
  await expectRefused(
    admin.call(donationStats, { query: { provider_state: 'clear' as never } }),
    400,
  );
  for (const search of ['SAM@ex', 'paw-aa', 'pi_one', 'one'])
    expect(await ids({ search })).toEqual(['one']);
  expect(await ids({ search: 'am@example' })).toEqual([]);
});

test('returns one donation, or 404 for an unknown id', async () => {
  const { donation } = await admin.call(getDonation, { params: { id: 'two' } });
  expect(donation).toMatchObject({ id: 'two', amount_cents: 251, returned_cents: 51 });
  const failed = await admin.call(getDonation, { params: { id: 'three' } });
  expect(failed.donation).toMatchObject({
    failure: 'payment_declined',
    submitted_at: expect.any(String) as string,
  });
  await expectRefused(admin.call(getDonation, { params: { id: 'nothing' } }), 404, {
    error: 'Donation not found',
  });
});

test('exports donations as CSV without spreadsheet formulas', async () => {
  await api.db
    .collection<DonationRow>('donations')
    .insertOne(rowOf('five', { email: '=cmd()@example.com', payment_status: 'pending' }));
  const response = await admin.jar.fetch(
    `${api.origin}${pathOf(exportDonations, {}, { status: 'pending' })}`,
  );
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="donations-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const [heading, row, ...rest] = (await response.text()).split('\r\n');
  expect(heading).toContain('ID,Amount (USD),Status,Provider,Email');
  expect(row).toContain("five,1,pending,stripe,'=cmd()@example.com,pi_five");
  expect(rest).toEqual(['']);
  const returned = await admin.jar.fetch(`${api.origin}${pathOf(exportDonations, {}, {})}`);
  expect(await returned.text()).toMatch(/\r\ntwo,2\.51,completed,[^\r]*,0\.51,/);
});
