import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listAdPayments } from '#shared/advertisers/admin-contract.ts';
import { listAdReviews } from '#shared/advertisers/review-contract.ts';
import { listAllCharities } from '#shared/charities/admin-contract.ts';
import { createCharity } from '#shared/charities/contract.ts';
import { newId } from '#shared/ids.ts';
import { listAdminLocations } from '#shared/locations/admin-contract.ts';
import { createLocation, reportProblem } from '#shared/locations/contract.ts';
import { issueWarning, listAllWarnings, listQueue } from '#shared/moderation/admin-contract.ts';
import { appealWarning, reportContent } from '#shared/moderation/contract.ts';
import { listLog } from '#shared/moderation/rules-contract.ts';
import {
  getOverview,
  listFailedMessages,
  waitingKind,
  type OverviewDay,
  type WaitingKind,
} from '#shared/overview/contract.ts';
import { WAITING_LISTS } from '#shared/overview/waiting-lists.ts';
import { donationStats } from '#shared/payments/admin-contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { countDays, lastDays } from '../../api/app/overview/daily-counts.ts';
import { makeTimedAd, pay, signUp } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode, makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
let ann: TestPerson;
let bo: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  ann = await api.as('ann@example.com');
  bo = await api.as('bo@example.com');
  for (const person of [ann, bo]) await makeProfile(person);
});
afterAll(() => api.close());

const rows = (name: string) => api.db.collection<{ _id: string }>(name);
const waitingFor = async (kind: WaitingKind) =>
  (await admin.call(getOverview)).waiting.find((each) => each.kind === kind);
const ago = (ms: number) => new Date(Date.now() - ms);

describe('what waits', () => {
  test('only admins get the overview and the failed messages', async () => {
    await expectRefused(ann.call(getOverview), 403);
    await expectRefused(ann.call(listFailedMessages), 403);
    await expectRefused(api.call(getOverview), 401);
  });

  test('counts reports, appeals, charities and ads, with the time of the oldest', async () => {
    for (const kind of ['reports', 'appeals', 'charity_applications', 'ad_reviews'] as const)
      expect(await waitingFor(kind)).toEqual({ kind, count: 0, is_capped: false, oldest_at: null });

    const { report } = await ann.call(reportContent, {
      body: {
        subject_type: 'person',
        reported_user_id: bo.user.id,
        report_type: 'harassment',
        description: 'He shouts at everybody.',
      },
    });
    expect(await waitingFor('reports')).toMatchObject({ count: 1, oldest_at: report.created_at });

    const sanction = { warning_type: 'warning', severity: 'minor', reason: 'Be kind.' } as const;
    const { warning } = await admin.call(issueWarning, {
      body: { user_id: bo.user.id, ...sanction },
    });
    const text = 'I only called my dog.';
    const { warning: appealed } = await bo.call(appealWarning, {
      params: { id: warning.id },
      body: { text },
    });
    expect(await waitingFor('appeals')).toMatchObject({
      count: 1,
      oldest_at: appealed.appeal?.created_at,
    });

    await ann.call(createCharity, {
      body: {
        charity_name: 'Paws for all',
        description: 'We find homes for dogs.',
        contact_name: 'Paula',
        contact_email: 'paula@example.com',
        payment_link: 'https://example.com/give',
      },
    });
    expect(await waitingFor('charity_applications')).toMatchObject({ count: 1 });

    const advertiser = await signUp(api);
    const ad = await makeTimedAd(advertiser);
    await pay(api, advertiser, ad);
    expect(await waitingFor('ad_reviews')).toMatchObject({
      count: 1,
      oldest_at: expect.any(String) as string,
    });
  });

  test('counts payments without a result after ten minutes, but not those that were never submitted', async () => {
    const payment = {
      holder: 'h',
      payment_status: 'pending',
      is_settled: false,
      payment_provider: 'stripe',
      amount_cents: 100,
      currency: 'USD',
      email: null,
      access_code_granted: null,
      busy_until: null,
      ip_address: '',
      updated_at: new Date(),
    };
    const created_at = ago(DAY_MS / 2);
    await rows('donations').insertMany([
      { _id: 'old', ...payment, payment_id: 'p1', created_at, submitted_at: created_at },
      { _id: 'new', ...payment, payment_id: 'p2', created_at, submitted_at: ago(1_000) },
      { _id: 'none', ...payment, payment_id: 'p3', created_at, submitted_at: null },
    ] as never);
    expect(await waitingFor('donations_in_doubt')).toMatchObject({
      count: 1,
      oldest_at: created_at.toISOString(),
    });
    expect(await waitingFor('ad_payments_in_doubt')).toMatchObject({ count: 0 });
  });

  test('counts messages that failed in the last week, and lists them without recipients', async () => {
    const failed = (_id: string, days: number) => ({
      _id,
      channel: 'email' as const,
      status: 'failed',
      attempts: 9,
      due_at: ago(days * DAY_MS),
      lease: null,
      created_at: ago((days + 1) * DAY_MS),
      settled_at: ago(days * DAY_MS),
      provider_id: null,
      error_code: '550',
    });
    await rows('outbox').insertMany([failed('referrals/a', 1), failed('referrals/b', 20)] as never);
    expect(await waitingFor('failed_messages')).toMatchObject({ count: 1 });
    const { messages, total } = await admin.call(listFailedMessages, {
      query: { channel: 'email' },
    });
    expect(total).toBe(2);
    expect(messages).toMatchObject([
      { id: 'referrals/a', channel: 'email', attempts: 9, error_code: '550' },
      { id: 'referrals/b' },
    ]);
    expect((await admin.call(listFailedMessages, { query: { channel: 'sms' } })).total).toBe(0);
  });
});

/** How the panel gets the rows of each list, by its part of the address. */
const TOTALS: Record<string, (query: Record<string, string>) => Promise<number>> = {
  'moderation queue': async () => (await admin.call(listQueue)).waiting,
  'moderation log': async (query) => (await admin.call(listLog, { query })).total,
  'moderation appeals': async () =>
    (await admin.call(listAllWarnings, { query: { appeal: 'pending' } })).total,
  'moderation warnings': async (query) => (await admin.call(listAllWarnings, { query })).total,
  'advertisers review': async () => (await admin.call(listAdReviews)).total,
  'advertisers payments': async (query) => (await admin.call(listAdPayments, { query })).total,
  charities: async (query) => (await admin.call(listAllCharities, { query })).total,
  places: async (query) => (await admin.call(listAdminLocations, { query })).total,
  donations: async (query) => (await admin.call(donationStats, { query })).total,
  'overview failed-messages': async (query) =>
    (await admin.call(listFailedMessages, { query })).total,
};

test.each(waitingKind.options)(
  'the list of %s has as many rows as the overview counts',
  async (kind) => {
    await makeWaiting();
    const {
      tab = '',
      part,
      view,
      ...query
    } = Object.fromEntries(new URLSearchParams(WAITING_LISTS[kind]));
    const total = TOTALS[[tab, part ?? view].filter(Boolean).join(' ')];
    const counted = await waitingFor(kind);
    expect(counted?.count).toBeGreaterThan(0);
    expect(await total?.(query)).toBe(counted?.count);
  },
);

/** Adds to each kind a row that waits, and one that is like it and doesn't. */
async function makeWaiting(): Promise<void> {
  const at = ago(DAY_MS / 2);
  const payment = {
    holder: 'h',
    payment_status: 'pending',
    is_settled: true,
    payment_provider: 'stripe',
    amount_cents: 100,
    currency: 'USD',
    email: null,
    access_code_granted: null,
    busy_until: null,
    ip_address: '',
    created_at: at,
    updated_at: at,
  };
  const ofAd = {
    advertiser_id: 'none',
    period: 0,
    attempt: 1,
    paid_at: null,
    failure: null,
  };
  for (const [index, submitted_at] of [at, null].entries()) {
    const _id = newId();
    const one = { _id, ...payment, payment_id: _id, submitted_at };
    await rows('donations').insertOne(one);
    await rows('ad_payments').insertOne({ ...one, ...ofAd, advertisement_id: _id } as never);
    const settled_at = index === 0 ? at : ago(20 * DAY_MS);
    await rows('outbox').insertOne({
      _id,
      channel: 'email',
      status: 'failed',
      attempts: 9,
      due_at: at,
      lease: null,
      created_at: at,
      settled_at,
      provider_id: null,
      error_code: '550',
    } as never);
    await rows('moderation_log').insertOne({
      _id,
      message_id: _id,
      user_id: bo.user.id,
      moderation_type: 'rule',
      flagged_content: 'x',
      rule_triggered: null,
      severity: null,
      content_type: null,
      content_id: null,
      action_taken: 'hidden',
      admin_user_id: null,
      review: index === 0 ? 'pending' : 'released',
      created_at: at,
    } as never);
    await rows('user_warnings').insertOne({
      _id,
      user_id: bo.user.id,
      warning_type: 'termination',
      severity: 'severe',
      reason: 'x',
      issued_by_admin: true,
      admin_user_id: null,
      report_id: null,
      law_enforcement_notice: true,
      ...(index === 0 && { is_notice_due: true }),
      created_at: at,
      expires_at: at,
      acknowledged_at: at,
      lifted_at: null,
      appeal: null,
      version: 0,
      due_at: null,
    } as never);
    const { location } = await ann.call(createLocation, {
      body: { name: `Park ${_id}`, latitude: 44, longitude: -123, confirm_new: true },
    });
    // Two reports of one place are one place.
    if (index === 0)
      for (const reporter of [ann, bo])
        await reporter.call(reportProblem, {
          body: { location_id: location.id, report_type: 'other', description: 'It is gone.' },
        });
  }
}

test('shows the newest admin actions', async () => {
  const code = await makeCode(admin);
  const { changes } = await admin.call(getOverview);
  expect(changes[0]).toMatchObject({
    act: 'access-code.create',
    subject_id: code.id,
    admin_email: 'admin@example.com',
  });
});

describe('the last thirty days', () => {
  const dayOf = async (date: string): Promise<OverviewDay | undefined> =>
    (await admin.call(getOverview)).days.find((day) => day.date === date);

  test('counts members, encounters, messages and walkers, and keeps a day that is over', async () => {
    const now = new Date();
    const [today, before] = [lastDays(now).at(-1)!, lastDays(now).at(-3)!];
    const then = new Date(Date.parse(before) + DAY_MS / 2);
    await rows('proximity_events').insertOne({
      _id: 'a',
      triggered_at: then,
      pair_windows: ['a'],
    } as never);
    await rows('messages').insertMany([
      { _id: 'm1', created_at: then },
      { _id: 'm2', created_at: then },
    ] as never);
    await rows('positions').insertMany([
      { _id: 'walker 1', minute: Math.floor(now.getTime() / 60_000) },
      { _id: 'walker 2', minute: Math.floor(now.getTime() / 60_000) - 30 },
    ] as never);
    await rows('daily_counts').deleteMany({});
    await countDays(api.db, now);
    expect(await dayOf(before)).toEqual({
      date: before,
      new_members: 0,
      peak_walkers: null,
      warnings: 1,
      messages: 2,
      donation_cents: 0,
      ad_revenue_cents: 0,
    });
    expect(await dayOf(today)).toMatchObject({ new_members: 3, peak_walkers: 1 });

    // Deleted rows do not change a day that is over; today is counted again.
    await rows('messages').deleteMany({});
    await rows('positions').deleteMany({});
    await rows('proximity_events').insertOne({
      _id: 'b',
      triggered_at: now,
      pair_windows: ['b'],
    } as never);
    await countDays(api.db, now);
    expect(await dayOf(before)).toMatchObject({ warnings: 1, messages: 2 });
    expect(await dayOf(today)).toMatchObject({ warnings: 1, peak_walkers: 1 });
    expect((await admin.call(getOverview)).days).toHaveLength(30);
  });

  test('has the chosen number of days, and as many before them to compare', async () => {
    for (const [days, count] of [
      ['7', 7],
      ['30', 30],
    ] as const) {
      const overview = await admin.call(getOverview, { query: { days } });
      expect([overview.days.length, overview.days_before.length]).toEqual([count, count]);
      const dates = [...overview.days_before, ...overview.days].map(({ date }) => date);
      expect(new Set(dates).size).toBe(2 * count);
      expect(dates).toEqual(dates.toSorted());
    }
    await expectRefused(admin.call(getOverview, { query: { days: '8' as '7' } }), 400);
  });

  test('adds up donations without refunds', async () => {
    const date = lastDays(new Date()).at(-2)!;
    const given = (_id: string, more: object) => ({
      _id,
      holder: 'h',
      payment_id: _id,
      payment_status: 'completed',
      is_settled: true,
      amount_cents: 100,
      created_at: new Date(Date.parse(date) + 1_000),
      ...more,
    });
    await rows('donations').insertMany([
      given('d1', {}),
      given('d2', { returned_cents: 40 }),
      given('d3', { payment_status: 'refunded' }),
    ] as never);
    expect(await dayOf(date)).toMatchObject({ donation_cents: 160 });
  });
});
