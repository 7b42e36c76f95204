import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { auditLog } from '#shared/admin/contract.ts';
import { bookingStatus, listingStatus } from '#shared/ads/rules.ts';
import {
  advertiserAnalytics,
  editAdvertiser,
  exportAdvertisers,
  getAdvertiser,
  listAdPayments,
  listAdvertiserAds,
  listBusinessListings,
} from '#shared/advertisers/admin-contract.ts';
import { advertisers, type AdPaymentRow } from '../../api/features/advertisers/collections.ts';
import { eraseAdvertiser } from '../../api/features/advertisers/retention.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { makeBooking } from '../ads/made-ads.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { makeListing } from './made-listings.ts';
import {
  DAY_MS,
  HOUR_MS,
  inHours,
  makeLocalAd,
  makeTimedAd,
  pay,
  signUp,
  type Advertiser,
} from './sign-up.ts';

let api: TestApi;
let admin: TestPerson;
let kim: Advertiser;
let lee: Advertiser;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

test('analytics are empty for each of thirty days before anyone advertises', async () => {
  const answer = await admin.call(advertiserAnalytics);
  expect(answer).toMatchObject({
    stats: {
      total_revenue_cents: 0,
      total_advertisers: 0,
      active_advertisements: 0,
      completed_advertisements: 0,
      successful_payments: 0,
      pending_payments: 0,
    },
    advertisers: [],
    recentPayments: [],
  });
  expect(answer.revenueByDay).toHaveLength(30);
  expect(answer.revenueByDay.every(({ revenue_cents }) => revenue_cents === 0)).toBe(true);
  expect(answer.revenueByDay.at(-1)?.date).toBe(new Date().toISOString().slice(0, 10));
});

test('an admin corrects an advertiser’s details, and the audit log has no values of the person', async () => {
  const { id } = await signUp(api, { company_name: 'Pawz', contact_name: 'Chris' });
  const edit = (body: z.input<typeof editAdvertiser.body & object>) =>
    admin.call(editAdvertiser, { params: { id }, body });
  const { advertiser } = await edit({
    company_name: 'Paws',
    contact_name: 'Robin',
    billing_address: '1 Bark Street',
    version: 0,
  });
  expect(advertiser).toMatchObject({
    company_name: 'Paws',
    contact_name: 'Robin',
    billing_address: '1 Bark Street',
    version: 1,
  });
  expect((await admin.call(getAdvertiser, { params: { id } })).advertiser).toEqual(advertiser);
  const { advertisers: found } = await admin.call(advertiserAnalytics, {
    query: { search: 'robin' },
  });
  expect(found.map((each) => each.id)).toEqual([id]);
  const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
  expect(entries).toMatchObject([
    {
      act: 'advertiser.update',
      before: { company_name: 'Pawz', contact_name: '(not recorded)' },
      after: { company_name: 'Paws', contact_name: '(not recorded)' },
    },
  ]);
  await expectRefused(edit({ phone: '1', version: 0 }), 409, { code: 'edited_meanwhile' });
  for (const [body, field] of [
    [{ company_name: ' ' }, 'company_name'],
    [{ phone: '1'.repeat(21) }, 'phone'],
  ] as const)
    await expectRefused(edit(body), 400, { fields: { [field]: expect.any(String) } });
  // The person was deleted: nothing of theirs can be entered again.
  await eraseAdvertiser(api.db, (await advertisers(api.db).findOne({ _id: id }))!);
  await expectRefused(edit({ contact_name: 'Robin' }), 409, { code: 'erased' });
  expect((await edit({ company_name: 'Paws Inc' })).advertiser.company_name).toBe('Paws Inc');
  await advertisers(api.db).deleteOne({ _id: id });
  await expectRefused(edit({ company_name: 'Paws' }), 404, { error: 'Advertiser not found' });
});

describe('analytics with advertisers', () => {
  let timed: number;
  beforeAll(async () => {
    kim = await signUp(api);
    lee = await signUp(api, { company_name: 'Albatross Boarding', contact_name: 'Lee' });
    timed = await makeTimedAd(kim);
    await pay(api, kim, timed);
    await pay(api, kim, await makeLocalAd(kim));
    const declined = await makeTimedAd(lee, { scheduled_start_at: inHours(60) });
    await expectRefused(pay(api, lee, declined, { card: 'declined' }), 402);
    // One payment three days ago, and one too old for the chart.
    const rows = api.db.collection<AdPaymentRow>('ad_payments');
    const [paid] = await rows.find({ payment_status: 'completed' }).toArray();
    if (!paid) throw new Error('nothing was paid');
    for (const [days, amount_cents] of [
      [3, 700],
      [31, 50],
    ] as const) {
      const at = new Date(Date.now() - days * DAY_MS);
      const more = { _id: `old ${days}`, payment_id: `old ${days}`, attempt: 100 + days };
      await rows.insertOne({ ...paid, ...more, amount_cents, paid_at: at, created_at: at });
    }
  });

  test('analytics report revenue, advertisers, and ads', async () => {
    const answer = await admin.call(advertiserAnalytics, { query: { sort: 'company' } });
    expect(answer.stats).toEqual({
      total_revenue_cents: 30_750,
      total_advertisers: 2,
      active_advertisements: 1,
      completed_advertisements: 0,
      successful_payments: 4,
      pending_payments: 0,
    });
    const days = answer.revenueByDay.filter(({ revenue_cents }) => revenue_cents > 0);
    const date = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    expect(days).toEqual([
      { date: date(3), revenue_cents: 700 },
      { date: date(0), revenue_cents: 30_000 },
    ]);
    expect(answer.recentPayments).toHaveLength(5);
    expect(answer.recentPayments[0]).toEqual({
      id: expect.any(String) as string,
      advertiser_id: lee.id,
      advertisement_id: expect.any(Number) as number,
      failure: 'payment_declined',
      submitted_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
      company_name: 'Albatross Boarding',
      advertisement_title: 'Kibble, fresh',
      amount_cents: 20_000,
      currency: 'USD',
      payment_provider: 'sandbox',
      payment_status: 'failed',
      provider_state: 'clear',
      provider_url: null,
      returned_cents: 0,
      tax: null,
      payment_id: expect.any(String) as string,
      created_at: expect.any(String) as string,
    });
    expect(answer.advertisers).toMatchObject([
      { id: lee.id, payment_status: 'failed', total_spent_cents: 0 },
      {
        id: kim.id,
        email: kim.email,
        company_name: 'Kibble & Co',
        contact_name: 'Kim Park',
        phone: '+1 555 010 0199',
        billing_address: '2 Main Street',
        total_spent_cents: 30_750,
        created_at: expect.any(String) as string,
        payment_status: 'completed',
        advertisements: [{ id: timed, status: 'scheduled', duration_hours: 4 }],
        listings: [{ business_name: 'Paws & Coffee', status: 'active' }],
      },
    ]);
    const params = { id: kim.id };
    const { advertiser } = await admin.call(getAdvertiser, { params });
    expect(advertiser).toEqual(answer.advertisers[1]);
    const unknown = admin.call(getAdvertiser, { params: { id: 'nobody' } });
    await expectRefused(unknown, 404, { error: 'Advertiser not found' });
  });

  test('finds advertisers by company, contact, and email, page by page', async () => {
    const found = async (query: object) => {
      const { advertisers, next_cursor } = await admin.call(advertiserAnalytics, { query });
      return { names: advertisers.map(({ contact_name }) => contact_name), next_cursor };
    };
    expect((await found({ search: 'albat' })).names).toEqual(['Lee']);
    expect((await found({ search: 'kim kibb' })).names).toEqual(['Kim Park']);
    expect((await found({ search: kim.email })).names).toEqual(['Kim Park']);
    expect((await found({ search: 'zzz' })).names).toEqual([]);
    const first = await found({ limit: 1 });
    expect(first.names).toEqual(['Lee']);
    expect((await found({ limit: 1, cursor: first.next_cursor })).names).toEqual(['Kim Park']);
    const amounts = await admin.call(listAdPayments, {
      query: { sort: 'amount', status: 'completed' },
    });
    expect(amounts.payments.map(({ amount_cents }) => amount_cents)).toEqual([
      20_000, 10_000, 700, 50,
    ]);
    const [first_payment] = amounts.payments;
    await api.db
      .collection<{ _id: string }>('ad_payments')
      .updateOne(
        { payment_id: first_payment?.payment_id },
        { $set: { provider_state: 'disputed' } },
      );
    const inState = async (provider_state: 'disputed' | 'dispute_won') =>
      (await admin.call(listAdPayments, { query: { provider_state } })).payments;
    expect(await inState('disputed')).toMatchObject([{ payment_id: first_payment?.payment_id }]);
    expect(await inState('dispute_won')).toEqual([]);
  });

  test('exports the listed advertisers with their payments, and escapes formulas', async () => {
    const company_name = '=HYPERLINK("https://bad.example")';
    await signUp(api, { company_name, contact_name: '@Mal', phone: '+1 555 010 0100' });
    const csvOf = async (query: Record<string, string>) => {
      const address = `${api.origin}${pathOf(exportAdvertisers, {}, query)}`;
      const answer = await admin.jar.fetch(address);
      expect(answer.headers.get('content-type')).toContain('text/csv');
      return (await answer.text()).trim().split('\r\n');
    };
    const [header, ...rows] = await csvOf({ sort: 'company' });
    expect(header).toContain('Company,Contact,Email,Phone,Billing address,Total spent (USD)');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/^"'=HYPERLINK\(.*,'@Mal,/);
    expect(rows[0]).toContain(`,'+1 555 010 0100,`);
    expect(rows.at(-1)).toContain(`Kim Park,${kim.email},`);
    expect(rows.at(-1)).toContain(',307.5,');
    expect(await csvOf({ search: 'albat' })).toHaveLength(2);
  });

  test('lists ads and listings under the same status as the dashboard', async () => {
    const now = Date.now();
    const at = new Date(now);
    const marks = [
      { hidden_at: null, taken_down_at: null },
      { hidden_at: at, taken_down_at: null },
      { hidden_at: null, taken_down_at: at },
      { hidden_at: null, taken_down_at: null, pending_approval: true },
      { hidden_at: at, taken_down_at: null, pending_approval: true },
    ] as const;
    for (const payment_status of ['pending', 'failed', 'completed', 'refunded'] as const)
      for (const hours of [-8, -1, 5])
        for (const { hidden_at: cancelled_at, ...mark } of marks)
          await makeBooking(api, {
            payment_status,
            cancelled_at,
            ...mark,
            scheduled_start_at: new Date(now + hours * HOUR_MS),
            scheduled_end_at: new Date(now + (hours + 4) * HOUR_MS),
          });
    for (const payment_status of ['pending', 'failed', 'completed', 'refunded'] as const)
      for (const days of [-1, 1])
        for (const { hidden_at: paused_at, ...mark } of marks)
          await makeListing(api, {
            payment_status,
            paused_at,
            ...mark,
            subscription_end_date: new Date(now + days * DAY_MS),
          });
    const unpaid = (status: string) =>
      status === 'pending' || status === 'failed' ? 'unpaid' : status;
    const { ads } = await admin.call(listAdvertiserAds, { query: { limit: 200 } });
    const bookings = await api.db.collection('advertisement_bookings').find().toArray();
    expect(ads).toHaveLength(bookings.length);
    for (const status of ['scheduled', 'active', 'completed', 'cancelled', 'unpaid'] as const) {
      const { ads: some } = await admin.call(listAdvertiserAds, { query: { status, limit: 200 } });
      const right = bookings.filter(
        (row) => unpaid(bookingStatus(row as never, new Date())) === status,
      );
      expect(some.map(({ id }) => `${id}`).toSorted()).toEqual(
        right.map(({ _id }) => String(_id)).toSorted(),
      );
      expect(some.length).toBeGreaterThan(0);
    }
    const rows = await api.db.collection('business_listings').find().toArray();
    for (const status of ['active', 'paused', 'expired', 'cancelled', 'unpaid'] as const) {
      const { listings } = await admin.call(listBusinessListings, {
        query: { status, limit: 200 },
      });
      const right = rows.filter(
        (row) => unpaid(listingStatus(row as never, new Date())) === status,
      );
      expect(listings.map(({ id }) => id).toSorted()).toEqual(
        right.map(({ _id }) => String(_id)).toSorted(),
      );
      expect(listings.length).toBeGreaterThan(0);
    }
  });
});
