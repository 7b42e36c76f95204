import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { timedAdText } from '#shared/advertisers/contract.ts';
import {
  cancelTimedAd,
  getDashboard,
  leaveDashboard,
  openDashboard,
  sendDashboardLink,
  updateListing,
  updateTimedAd,
} from '#shared/advertisers/dashboard-contract.ts';
import { addUp } from '../../api/features/ads/ad-counters.ts';
import type { BookingRow, ListingRow } from '../../api/features/ads/collections.ts';
import type { AdPaymentRow } from '../../api/features/advertisers/collections.ts';
import type { SandboxPaymentRow } from '../../api/features/payments/collections.ts';
import { findTracesIn } from '../account/find-personal-data.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import {
  DAY_MS,
  inHours,
  emailsTo,
  localFields,
  makeLocalAd,
  makeTimedAd,
  pay,
  signUp,
  timedFields,
  type Advertiser,
} from './sign-up.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), {
    AD_TAX_NAME: 'VAT',
    AD_TAX_PERCENT: '19',
    AD_SELLER: 'Walkers Inc.\\n1 Main Street',
  });
});
beforeEach(async () => {
  await api.db.collection('ad_slots').deleteMany({});
});
afterAll(() => api.close());

const bookings = () => api.db.collection<BookingRow>('advertisement_bookings');
const listings = () => api.db.collection<ListingRow>('business_listings');
const begin = (_id: number) =>
  bookings().updateOne({ _id }, { $set: { scheduled_start_at: new Date(Date.now() - 1_000) } });
const newTexts = timedAdText.parse(timedFields({ title: 'Better', description: 'Much' }));
const statusAtBank = async (advertisement_id: number | string) => {
  const row = await api.db
    .collection<AdPaymentRow>('ad_payments')
    .findOne({ advertisement_id }, { sort: { attempt: -1 } });
  const payment = await api.db
    .collection<SandboxPaymentRow>('sandbox_payments')
    .findOne({ _id: row?.payment_id ?? '' });
  return [row?.payment_status, payment?.status];
};

/** Returns the token of the latest dashboard link sent to this email. */
async function tokenTo(email: string, subject: string): Promise<string> {
  const found = async () =>
    (await emailsTo(api, email)).findLast((email) => email.subject === subject)?.text ?? '';
  await expect.poll(found).toContain('/advertiser#');
  return /\/advertiser#(\S+)/.exec(await found())?.[1] ?? '';
}

async function scheduled(overrides = {}): Promise<{ kim: Advertiser; id: number }> {
  const kim = await signUp(api);
  const id = await makeTimedAd(kim, overrides);
  await pay(api, kim, id);
  return { kim, id };
}

describe('the advertiser dashboard', () => {
  test('shows what each day had, of listings in tens until yesterday, and forgets days after a month', async () => {
    const { kim, id } = await scheduled();
    const local = await makeLocalAd(kim);
    await pay(api, kim, local);
    const now = new Date();
    const day = (ago: number) => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
    const view = (ad_id: number | string, ago: number, n: number) => ({
      _id: `${ad_id} ${ago} ${n}`,
      ad_id,
      who: 'somebody',
      at: new Date(Date.parse(day(ago)) + 1_000 * n),
      doubt: null,
    });
    const views = (ad_id: number | string, ago: number, count: number) =>
      Array.from({ length: count }, (_, n) => view(ad_id, ago, n));
    // Before these views, everything was counted.
    await api.db
      .collection('ad_counting')
      .updateOne(
        { _id: 'ads' } as object,
        { $set: { from: new Date(0), to: new Date(0) } },
        { upsert: true },
      );
    await api.db
      .collection('ad_impressions')
      .insertMany([
        ...views(id, 2, 3),
        ...views(id, 1, 1),
        ...views(local, 2, 27),
        ...views(local, 1, 9),
        ...views(local, 0, 12),
      ] as never);
    await api.db.collection('ad_clicks').insertOne({
      ...view(id, 2, 0),
      clicked_at: new Date(Date.parse(day(2))),
    } as never);
    await addUp(api.db, new Date(now.getTime() + DAY_MS));
    const seen = await kim.call(getDashboard);
    expect(seen.ads[0]).toMatchObject({
      impressions: 4,
      days: [
        { date: day(2), impressions: 3, clicks: 1 },
        { date: day(1), impressions: 1, clicks: 0 },
      ],
    });
    expect(seen.listings[0]?.days).toEqual([{ date: day(2), impressions: 20, clicks: 0 }]);
    // A month later, the next view removes what was.
    const later = new Date(now.getTime() + 32 * DAY_MS);
    const next = { ...view(id, 0, 9), at: new Date(later.getTime() - DAY_MS) };
    // Counted so late that its day is removed at the same time.
    const late = { ...view(id, 0, 10), at: new Date(now.getTime() + DAY_MS - 30_000) };
    await api.db.collection('ad_impressions').insertMany([next, late] as never);
    await addUp(api.db, later);
    const row = await bookings().findOne({ _id: id });
    expect(row?.impressions).toBe(6);
    expect(Object.keys(row?.days ?? {})).toEqual([next.at.toISOString().slice(0, 10)]);
  });

  test('tells the tax that was configured when an ad was paid, and who sells', async () => {
    const { kim } = await scheduled();
    const { payments, seller } = await kim.call(getDashboard);
    expect(payments[0]?.tax).toEqual({ name: 'VAT', percent: 19 });
    expect(seller).toBe('Walkers Inc.\n1 Main Street');
    await api.db.collection('ad_payments').updateMany({}, { $unset: { tax: '' } });
    expect((await kim.call(getDashboard)).payments[0]?.tax).toBeNull();
  });

  test('the dashboard shows ads, listings, payments, and counts in the browser that booked', async () => {
    const { kim, id } = await scheduled();
    const local = await makeLocalAd(kim);
    await pay(api, kim, local);
    await bookings().updateOne({ _id: id }, { $set: { impressions: 40, clicks: 3 } });
    const dashboard = await kim.call(getDashboard);
    expect(dashboard).toMatchObject({
      email: null,
      ads: [
        {
          id,
          title: 'Kibble, fresh',
          company_name: 'Kibble & Co',
          status: 'scheduled',
          impressions: 40,
          clicks: 3,
          spent_cents: 20_000,
          cost_cents: 20_000,
          placement: 'banner',
          image_url: null,
        },
      ],
      listings: [
        {
          id: local,
          business_name: 'Paws & Coffee',
          status: 'active',
          spent_cents: 10_000,
          next_period: 1,
          latitude: 40.78,
          longitude: -73.97,
        },
      ],
    });
    expect(
      dashboard.payments.map(({ advertisement_title, amount_cents, payment_status }) => [
        advertisement_title,
        amount_cents,
        payment_status,
      ]),
    ).toEqual([
      ['Paws & Coffee', 10_000, 'completed'],
      ['Kibble, fresh', 20_000, 'completed'],
    ]);
  });

  test('shows the dashboard to no one else', async () => {
    const { id } = await scheduled();
    const visitor = api.visitor();
    await expectRefused(visitor.call(getDashboard), 401, { code: 'no_dashboard' });
    const other = await signUp(api);
    expect(await other.call(getDashboard)).toEqual({
      email: null,
      ads: [],
      listings: [],
      payments: [],
      seller: 'Walkers Inc.\n1 Main Street',
    });
    const params = { id };
    const notThere = { error: 'Advertisement not found' };
    await expectRefused(other.call(updateTimedAd, { params, body: newTexts }), 404, notThere);
    await expectRefused(other.call(cancelTimedAd, { params }), 404, notThere);
    const body = { paused: true };
    const listing = { params: { id: 'listing-none' }, body };
    await expectRefused(other.call(updateListing, listing), 404, notThere);
  });

  test('an emailed link opens the dashboard in any browser until all links are revoked', async () => {
    const { kim, id } = await scheduled();
    const token = await tokenTo(kim.email, 'Your ad is scheduled');
    const elsewhere = api.visitor();
    expect(await elsewhere.call(openDashboard, { body: { token } })).toEqual({});
    expect(await elsewhere.call(getDashboard)).toMatchObject({ email: kim.email, ads: [{ id }] });
    const params = { id };
    const changed = await elsewhere.call(updateTimedAd, { params, body: newTexts });
    expect(changed.advertisement).toMatchObject({ title: 'Better', description: 'Much' });

    await elsewhere.call(leaveDashboard, { body: {} });
    await expectRefused(elsewhere.call(getDashboard), 401, { code: 'no_dashboard' });
    await elsewhere.call(openDashboard, { body: { token } });
    await elsewhere.call(leaveDashboard, { body: { everywhere: true } });
    const over = { error: 'This link has expired or is incomplete. Request a new one.' };
    await expectRefused(elsewhere.call(openDashboard, { body: { token } }), 404, over);
    // A link requested later is valid.
    await kim.call(sendDashboardLink, { body: { email: kim.email } });
    const fresh = await tokenTo(kim.email, 'Your advertiser dashboard');
    expect(await elsewhere.call(openDashboard, { body: { token: fresh } })).toEqual({});
  });

  test('forged links do not open the dashboard', async () => {
    const { kim } = await scheduled();
    const token = await tokenTo(kim.email, 'Your ad is scheduled');
    const [id = '', time = '', signature = ''] = token.split('.');
    const later = (parseInt(time, 36) + 1).toString(36);
    const made = [
      'x',
      `${id}.${later}.${signature}`,
      `${id}x.${time}.${signature}`,
      `${id}.${time}.`,
    ];
    // Trailing text would end up in the cookie and could change its attributes.
    const longer = [`${token}.`, `${token}.; Max-Age=1`, `${token}.\r\nSet-Cookie: a=b`];
    for (const wrong of [...made, ...longer])
      await expectRefused(api.visitor().call(openDashboard, { body: { token: wrong } }), 404);
    const visitor = api.visitor();
    visitor.jar.cookies.set('leashwise-advertiser-dashboard', `${id}.${later}.${signature}`);
    await expectRefused(visitor.call(getDashboard), 401, { code: 'no_dashboard' });
  });

  test('emails a link only to paying advertisers, without revealing who they are', async () => {
    const unpaid = await signUp(api);
    const { kim } = await scheduled();
    const visitor = api.visitor();
    for (const email of [unpaid.email, 'nobody@example.com', kim.email.toUpperCase()])
      expect(await visitor.call(sendDashboardLink, { body: { email } })).toEqual({});
    await tokenTo(kim.email, 'Your advertiser dashboard');
    expect(await emailsTo(api, unpaid.email)).toEqual([]);
    expect(await emailsTo(api, 'nobody@example.com')).toEqual([]);
    const wrong = visitor.call(sendDashboardLink, { body: { email: 'kim' } });
    await expectRefused(wrong, 400, { error: 'Invalid email' });
  });

  test('an emailed link shows all bookings under that email, other sessions only their own', async () => {
    const { kim } = await scheduled();
    const other = await signUp(api, { email: kim.email });
    const id = await makeTimedAd(other, { scheduled_start_at: inHours(40) });
    await pay(api, other, id);
    const token = await tokenTo(kim.email, 'Your ad is scheduled');
    const reader = api.visitor();
    await reader.call(openDashboard, { body: { token } });
    expect((await reader.call(getDashboard)).ads).toHaveLength(2);
    expect((await other.call(getDashboard)).ads).toMatchObject([{ id }]);
  });
});

describe('a timed ad', () => {
  test('a timed ad can’t be edited or canceled once it has started', async () => {
    const { kim, id } = await scheduled();
    const params = { id };
    const wrong = { ...newTexts, target_url: 'javascript:alert(1)' };
    await expectRefused(kim.call(updateTimedAd, { params, body: wrong }), 400, {
      error: 'Invalid url',
    });
    await begin(id);
    const started = { error: 'This ad has already started or was canceled' };
    await expectRefused(kim.call(updateTimedAd, { params, body: newTexts }), 409, started);
    await expectRefused(kim.call(cancelTimedAd, { params }), 409, started);
    expect(await statusAtBank(id)).toEqual(['completed', 'paid']);
  });

  test('canceling a timed ad before its start refunds it, frees its time, and sends an email', async () => {
    const start = { scheduled_start_at: inHours(72) };
    const { kim, id } = await scheduled(start);
    const { advertisement } = await kim.call(cancelTimedAd, { params: { id } });
    expect(advertisement).toMatchObject({ status: 'cancelled', spent_cents: 0 });
    expect(await statusAtBank(id)).toEqual(['refunded', 'refunded']);
    await makeTimedAd(await signUp(api), start);
    await expectRefused(pay(api, kim, id), 409, { code: 'payment_refunded' });
    await expect
      .poll(async () => (await emailsTo(api, kim.email)).map(({ subject }) => subject))
      .toContain('Refund: $200.00');
  });

  test('the background job refunds a canceled timed ad that was not refunded yet', async () => {
    const { id } = await scheduled({ scheduled_start_at: inHours(80) });
    await bookings().updateOne({ _id: id }, { $set: { cancelled_at: new Date() } });
    await api.runJobs();
    await expect.poll(() => statusAtBank(id)).toEqual(['refunded', 'refunded']);
  });

  test('an unpaid timed ad can be canceled and can’t be paid afterwards', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(90) });
    await kim.call(cancelTimedAd, { params: { id } });
    await expectRefused(pay(api, kim, id), 409, { error: 'This ad was canceled' });
    expect(await statusAtBank(id)).toEqual(['failed', undefined]);
  });
});

describe('a listing', () => {
  const listed = async () => {
    const kim = await signUp(api);
    const id = await makeLocalAd(kim);
    await pay(api, kim, id);
    return { kim, id };
  };

  test('a listing can be paused, resumed, and edited', async () => {
    const { kim, id } = await listed();
    const params = { id };
    const change = async (body: object) =>
      (await kim.call(updateListing, { params, body: body as never })).advertisement;
    expect(await change({ paused: true })).toMatchObject({ status: 'paused' });
    expect(await change({ paused: false })).toMatchObject({ status: 'active' });
    const { business_name, description, ...rest } = localFields({ phone: '' });
    const body = { business_name, description, address: rest.address, website_url: '' };
    expect(await change({ ...body, description: 'New' })).toMatchObject({
      description: 'New',
      website_url: null,
      phone: null,
    });
    const required = 'Please fill in all location advertisement details';
    await expectRefused(change({ ...body, business_name: '' }), 400, { error: required });
  });

  test('a listing that expired while paused is active again once it is renewed', async () => {
    const { kim, id } = await listed();
    const statuses = async () =>
      (await kim.call(getDashboard)).listings.map(({ status }) => status);
    await kim.call(updateListing, { params: { id }, body: { paused: true } });
    const ended = { subscription_end_date: new Date(Date.now() - DAY_MS) };
    await listings().updateOne({ _id: id }, { $set: ended });
    expect(await statuses()).toEqual(['expired']);
    await pay(api, kim, id, { period: 1 });
    expect(await statuses()).toEqual(['active']);
  });

  test('a listing renewed while paused stays paused, and the email says so', async () => {
    const { kim, id } = await listed();
    await kim.call(updateListing, { params: { id }, body: { paused: true } });
    await pay(api, kim, id, { period: 1 });
    expect((await kim.call(getDashboard)).listings).toMatchObject([{ status: 'paused' }]);
    const texts = async () =>
      (await emailsTo(api, kim.email))
        .filter(({ subject }) => subject === 'Your business is listed')
        .map(({ text }) => text);
    await expect.poll(texts).toHaveLength(2);
    const [first, second] = await texts();
    expect(first).toContain('within 5 miles of it can see it for 30 days, until');
    expect(second).toContain('Your listing is paid for another 30 days, until');
    expect(second).toContain('Resume it in your dashboard to show it again');
  });

  test('each payment renews a listing by thirty days, once', async () => {
    const { kim, id } = await listed();
    const end = async () => (await listings().findOne({ _id: id }))?.subscription_end_date;
    const first = (await end())?.getTime() ?? 0;
    await pay(api, kim, id, { period: 1 });
    await pay(api, kim, id, { period: 1 });
    expect((await end())?.getTime()).toBe(first + 30 * DAY_MS);
    await expectRefused(pay(api, kim, id, { period: 3 }), 409);
    // After it has ended, the new period starts at the payment.
    await listings().updateOne(
      { _id: id },
      { $set: { subscription_end_date: new Date(Date.now() - DAY_MS) } },
    );
    expect((await kim.call(getDashboard)).listings).toMatchObject([{ id, status: 'expired' }]);
    await pay(api, kim, id, { period: 2 });
    expect((await kim.call(getDashboard)).listings).toMatchObject([{ id, status: 'active' }]);
    expect(((await end())?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29 * DAY_MS);
  });
});

test('an account’s export has the data of the advertiser with its email, and deleting it erases them', async () => {
  const person = await api.as('gone@shop.example');
  const kim = await signUp(api, {
    email: 'gone@shop.example',
    contact_name: 'Gone Person',
    billing_address: '9 Gone Street',
  });
  const id = await makeTimedAd(kim, { scheduled_start_at: inHours(100) });
  await pay(api, kim, id);
  await tokenTo(kim.email, 'Your ad is scheduled');
  const marks = ['gone@shop.example', 'Gone Person', '9 Gone Street'];
  const traces = async () =>
    (await findTracesIn(api.db, marks)).filter((trace) => /advert|payment|email/.test(trace));
  expect(await traces()).not.toEqual([]);
  const archive = await person.jar.fetch(`${api.origin}/api/account/export`);
  const exported = unzip(Buffer.from(await archive.arrayBuffer())).get('advertising.json');
  for (const mark of ['Gone Person', '9 Gone Street', 'Kibble, fresh'])
    expect(exported?.toString()).toContain(mark);
  await person.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await traces()).toEqual([]);
  expect(await bookings().findOne({ _id: id })).toMatchObject({ payment_status: 'completed' });
});
