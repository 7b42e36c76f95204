import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createCharity } from '#shared/charities/contract.ts';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { appealWarning, reportContent } from '#shared/moderation/contract.ts';
import {
  getOverview,
  listFailedMessages,
  type OverviewDay,
  type WaitingKind,
} from '#shared/overview/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { countDays, lastDays } from '../../api/app/overview/daily-counts.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeTimedAd, pay, signUp } from '../advertisers/sign-up.ts';
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
