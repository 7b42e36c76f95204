import type { Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { auditLog } from '#shared/admin/contract.ts';
import {
  changeAdvertiserAds,
  changeListings,
  listAdvertiserAds,
  listBusinessListings,
  putBackAd,
  putBackListing,
  refundAd,
  takeDownAd,
  takeDownListing,
} from '#shared/advertisers/admin-contract.ts';
import { timedAdText } from '#shared/advertisers/contract.ts';
import {
  cancelTimedAd,
  getDashboard,
  updateListing,
  updateTimedAd,
} from '#shared/advertisers/dashboard-contract.ts';
import type { BookingRow, ListingRow } from '../../api/features/ads/collections.ts';
import type { AdPaymentRow } from '../../api/features/advertisers/collections.ts';
import { listingsNear } from '../../api/features/advertisers/listings.ts';
import type { SandboxPaymentRow } from '../../api/features/payments/collections.ts';
import { openDatabase } from '../../api/platform/database.ts';
import { readEnv } from '../../api/platform/env.ts';
import { adsIn } from '../ads/made-ads.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import {
  DAY_MS,
  HOUR_MS,
  markEmailsAsSending,
  emailsTo,
  makeLocalAd,
  makeTimedAd,
  pay,
  signUp,
  timedFields,
} from './sign-up.ts';

let api: TestApi;
let admin: TestPerson;
let db: Db;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  db = await openDatabase(inject('mongodbUri'), api.env['MONGODB_DB'] ?? '');
});
beforeEach(async () => {
  await api.db.collection('ad_slots').deleteMany({});
  await bookings().deleteMany({});
  await listings().deleteMany({});
});
afterAll(async () => {
  await db.client.close();
  await api.close();
});

const bookings = () => api.db.collection<BookingRow>('advertisement_bookings');
const listings = () => api.db.collection<ListingRow>('business_listings');
const reason = 'It shows a product that hurts dogs.';

/** Returns the status of each payment of an ad, in our database and at the bank, oldest first. */
async function paymentStatuses(advertisement_id: number | string) {
  const rows = await api.db
    .collection<AdPaymentRow>('ad_payments')
    .find({ advertisement_id })
    .sort({ period: 1 })
    .toArray();
  const atBank = api.db.collection<SandboxPaymentRow>('sandbox_payments');
  return Promise.all(
    rows.map(async ({ payment_status, payment_id }) => [
      payment_status,
      (await atBank.findOne({ _id: payment_id ?? '' }))?.status,
    ]),
  );
}

const subjects = async (email: string) =>
  (await emailsTo(api, email)).map(({ subject }) => subject).toSorted();

/** Creates a paid ad that is running now. */
async function runningAd() {
  const kim = await signUp(api);
  const id = await makeTimedAd(kim);
  await pay(api, kim, id);
  const now = Date.now();
  const times = {
    scheduled_start_at: new Date(now - HOUR_MS),
    scheduled_end_at: new Date(now + 3 * HOUR_MS),
  };
  await bookings().updateOne({ _id: id }, { $set: times });
  return { kim, id, params: { id } };
}

async function paidListing(months = 1) {
  const kim = await signUp(api);
  const id = await makeLocalAd(kim);
  for (let period = 0; period < months; period++) await pay(api, kim, id, { period });
  return { kim, id, params: { id } };
}

const near = async () => {
  const point = { latitude: 40.78, longitude: -73.97 };
  return (await listingsNear({ db, env: readEnv(api.env) }, point)).map(({ id }) => id);
};

describe('a timed ad that an admin removes', () => {
  test('removing a timed ad takes it out of its slot, keeps its time and payment, and emails the reason', async () => {
    const { kim, id, params } = await runningAd();
    expect((await adsIn(api, 'banner')).paid.map((ad) => ad.id)).toEqual([id]);
    const body = { reason, version: 0 };
    const { advertisement } = await admin.call(takeDownAd, { params, body });
    expect(advertisement).toMatchObject({
      id,
      status: 'cancelled',
      taken_down_reason: reason,
      taken_down_at: expect.any(String) as string,
      spent_cents: 20_000,
      version: 1,
    });
    expect((await adsIn(api, 'banner')).paid).toEqual([]);
    const { ads } = await kim.call(getDashboard);
    expect(ads).toMatchObject([{ status: 'cancelled', taken_down_reason: reason }]);
    expect(ads[0]).not.toHaveProperty('version');
    await expect.poll(() => subjects(kim.email)).toContain('Your ad was taken down');
    const notice = (await emailsTo(api, kim.email)).find(({ subject }) => /taken/.test(subject));
    expect(notice?.text).toContain(reason);
    expect(notice?.text).not.toContain('We’ll refund your payment');
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
    const cancelled = await admin.call(listAdvertiserAds, { query: { status: 'cancelled' } });
    expect(cancelled.ads.map((ad) => ad.id)).toEqual([id]);
    expect((await admin.call(listAdvertiserAds, { query: { status: 'active' } })).ads).toEqual([]);
  });

  test('restoring a timed ad shows it again and emails the advertiser', async () => {
    const { kim, id, params } = await runningAd();
    await admin.call(takeDownAd, { params, body: { reason } });
    await markEmailsAsSending(api, kim.email);
    const stale = admin.call(putBackAd, { params, body: { version: 0 } });
    await expectRefused(stale, 409, { code: 'edited_meanwhile' });
    const { advertisement } = await admin.call(putBackAd, { params, body: { version: 1 } });
    expect(advertisement).toMatchObject({ status: 'active', taken_down_at: null, version: 2 });
    expect((await adsIn(api, 'banner')).paid.map((ad) => ad.id)).toEqual([id]);
    await expect.poll(() => subjects(kim.email)).toContain('Your ad is back');
    const again = admin.call(putBackAd, { params, body: {} });
    await expectRefused(again, 409, { error: 'This ad can’t be restored' });
  });

  test('a removed timed ad can be refunded at once or later, and then can’t be restored', async () => {
    const { kim, id, params } = await runningAd();
    await admin.call(takeDownAd, { params, body: { reason, refund: true } });
    expect(await paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    await expect.poll(() => subjects(kim.email)).toContain('Refund: $200.00');
    const notice = (await emailsTo(api, kim.email)).find(({ subject }) => /taken/.test(subject));
    expect(notice?.text).toContain('We’ll refund your payment');
    await expectRefused(admin.call(putBackAd, { params, body: {} }), 409);
    const twice = admin.call(takeDownAd, { params, body: { reason, refund: true } });
    await expectRefused(twice, 409, { error: 'This ad isn’t running or scheduled' });
    const slots = await api.db.collection('ad_slots').findOne({ 'taken.ad': id });
    expect(slots).toBeNull();

    const later = await runningAd();
    await admin.call(takeDownAd, { params: later.params, body: { reason } });
    expect(await paymentStatuses(later.id)).toEqual([['completed', 'paid']]);
    await admin.call(takeDownAd, { params: later.params, body: { reason, refund: true } });
    expect(await paymentStatuses(later.id)).toEqual([['refunded', 'refunded']]);
  });

  test('the advertiser can’t edit or cancel a removed timed ad', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim);
    await pay(api, kim, id);
    await admin.call(takeDownAd, { params: { id }, body: { reason } });
    const text = timedAdText.parse(timedFields({ title: 'Better' }));
    await expectRefused(kim.call(updateTimedAd, { params: { id }, body: text }), 409);
    await expectRefused(kim.call(cancelTimedAd, { params: { id } }), 409);
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
  });

  test('removing a timed ad requires a reason and an ad that is running or scheduled', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim);
    const params = { id };
    const blank = admin.call(takeDownAd, { params, body: { reason: '  ' } });
    await expectRefused(blank, 400, { error: 'Please enter a reason' });
    const long = admin.call(takeDownAd, { params, body: { reason: 'x'.repeat(501) } });
    await expectRefused(long, 400);
    await expectRefused(admin.call(takeDownAd, { params, body: { reason } }), 409);
    await pay(api, kim, id);
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
    const over = { scheduled_start_at: ago(5), scheduled_end_at: ago(1) };
    await bookings().updateOne({ _id: id }, { $set: over });
    await expectRefused(admin.call(takeDownAd, { params, body: { reason } }), 409);
    const unknown = { params: { id: 987_654 }, body: { reason } };
    await expectRefused(admin.call(takeDownAd, unknown), 404, { error: 'Advertisement not found' });
  });

  test('a finished timed ad can be refunded once with a reason, which is logged and emailed', async () => {
    const { kim, id, params } = await runningAd();
    await expectRefused(admin.call(refundAd, { params, body: { reason } }), 409, {
      error: 'There’s nothing left to refund for this ad',
    });
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
    const over = { scheduled_start_at: ago(5), scheduled_end_at: ago(1) };
    await bookings().updateOne({ _id: id }, { $set: { ...over, notified: ['live', 'finished'] } });
    await expectRefused(admin.call(refundAd, { params, body: { reason: ' ' } }), 400, {
      error: 'Please enter a reason',
    });
    const stale = admin.call(refundAd, { params, body: { reason, version: 7 } });
    await expectRefused(stale, 409, { code: 'edited_meanwhile' });
    const why = 'Half of the time nothing was shown.';
    const body = { reason: why, version: 0 };
    const { advertisement } = await admin.call(refundAd, { params, body });
    expect(advertisement).toMatchObject({ status: 'cancelled', spent_cents: 0, version: 1 });
    expect(await paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    await expect
      .poll(() => subjects(kim.email))
      .toEqual(expect.arrayContaining(['Refund: $200.00', 'We’re refunding your ad']) as unknown);
    const notice = (await emailsTo(api, kim.email)).find(({ subject }) =>
      /refunding/.test(subject),
    );
    expect(notice?.text).toContain(why);
    await expectRefused(admin.call(refundAd, { params, body: { reason } }), 409);
    const query = { subject_kind: 'advertiser-ad', subject_id: String(id) };
    const { entries } = await admin.call(auditLog, { query });
    expect(entries).toMatchObject([{ act: 'advertiser-ad.refund', reason: why, voids: null }]);
    const unknown = { params: { id: 987_654 }, body: { reason } };
    await expectRefused(admin.call(refundAd, unknown), 404, { error: 'Advertisement not found' });
  });

  test('removes several timed ads for one reason, skips edited ones, and can undo it', async () => {
    const another = async () => {
      // In this test all of them run at the same time.
      await api.db.collection('ad_slots').deleteMany({});
      return runningAd();
    };
    const [one, two, three] = [await another(), await another(), await another()];
    await admin.call(takeDownAd, { params: three.params, body: { reason } });
    const items = [one, two, three].map(({ id }) => ({ id: String(id), version: 0 }));
    const blank = { action: 'take-down' as const, items, reason: '' };
    await expectRefused(admin.call(changeAdvertiserAds, { body: blank }), 400, {
      error: 'Please enter a reason',
    });
    const body = { ...blank, reason, items: [...items, { id: 'x' }, { id: '987654' }] };
    const outcome = await admin.call(changeAdvertiserAds, { body });
    expect(outcome.done).toEqual([String(one.id), String(two.id)]);
    expect(outcome.skipped).toMatchObject([
      { id: String(three.id) },
      { id: 'x', why: 'Advertisement not found' },
      { id: '987654', why: 'Advertisement not found' },
    ]);
    const statuses = async () => {
      const { ads } = await admin.call(listAdvertiserAds, { query: { sort: 'oldest' } });
      return ads.map(({ status, taken_down_reason }) => [status, taken_down_reason]);
    };
    expect(await statuses()).toEqual([1, 2, 3].map(() => ['cancelled', reason]));
    expect(await paymentStatuses(one.id)).toEqual([['completed', 'paid']]);
    const restore = { action: 'put-back' as const, items: outcome.done.map((id) => ({ id })) };
    const undone = await admin.call(changeAdvertiserAds, { body: restore });
    expect(undone).toEqual({ done: outcome.done, skipped: [] });
    expect(await statuses()).toEqual([
      ['active', null],
      ['active', null],
      ['cancelled', reason],
    ]);
  });

  test('sends no email when a removal or restoration is undone at once', async () => {
    const { kim, params } = await runningAd();
    const down = (why = reason) => admin.call(takeDownAd, { params, body: { reason: why } });
    const restore = () => admin.call(putBackAd, { params, body: {} });
    const removalEmails = async () =>
      (await subjects(kim.email)).filter((each) => /down|back/.test(each));
    const DOWN = 'Your ad was taken down';
    await down();
    expect(await removalEmails()).toEqual([DOWN]);
    await restore();
    expect(await removalEmails()).toEqual([]);
    await down();
    expect(await removalEmails()).toEqual([DOWN]);
    await markEmailsAsSending(api, kim.email);

    // The advertiser already knows that it was removed, and why.
    await restore();
    expect(await removalEmails()).toEqual(['Your ad is back', DOWN]);
    await down();
    expect(await removalEmails()).toEqual([DOWN]);
    // Another reason is another email, which is recalled, too. Then the restored ad needs an email.
    await restore();
    await down('It shows a cat.');
    expect(await removalEmails()).toEqual([DOWN, DOWN]);
    await restore();
    expect(await removalEmails()).toEqual(['Your ad is back', DOWN]);
    const [entry] = await api.db
      .collection('outbox')
      .find({ status: 'recalled' })
      .sort({ settled_at: -1 })
      .toArray();
    expect(entry).not.toHaveProperty('message');
  });

  test('refunds several removed or finished timed ads, each once', async () => {
    const another = async () => {
      await api.db.collection('ad_slots').deleteMany({});
      return runningAd();
    };
    const [down, shown, over] = [await another(), await another(), await another()];
    await admin.call(takeDownAd, { params: down.params, body: { reason } });
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
    const times = { scheduled_start_at: ago(5), scheduled_end_at: ago(1) };
    await bookings().updateOne(
      { _id: over.id },
      { $set: { ...times, notified: ['live', 'finished'] } },
    );
    const items = [
      { id: String(down.id), version: 1 },
      { id: String(shown.id), version: 0 },
      { id: String(over.id), version: 0 },
    ];
    const body = { action: 'pay-back' as const, items, reason: 'Half of it was not shown.' };
    await expectRefused(admin.call(changeAdvertiserAds, { body: { ...body, reason: ' ' } }), 400, {
      error: 'Please enter a reason',
    });
    const stale = { ...body, items: [{ id: String(down.id), version: 0 }] };
    const { skipped } = await admin.call(changeAdvertiserAds, { body: stale });
    expect(skipped).toMatchObject([{ id: String(down.id) }]);
    expect(await paymentStatuses(down.id)).toEqual([['completed', 'paid']]);

    const outcome = await admin.call(changeAdvertiserAds, { body });
    const nothing = 'There’s nothing left to refund for this ad';
    expect(outcome).toEqual({
      done: [String(down.id), String(over.id)],
      skipped: [{ id: String(shown.id), why: nothing }],
    });
    const paidBack = [['refunded', 'refunded']];
    expect(await paymentStatuses(down.id)).toEqual(paidBack);
    expect(await paymentStatuses(over.id)).toEqual(paidBack);
    expect(await paymentStatuses(shown.id)).toEqual([['completed', 'paid']]);
    const again = await admin.call(changeAdvertiserAds, { body });
    expect(again.done).toEqual([]);
    expect(again.skipped.map(({ why }) => why)).toEqual([nothing, nothing, nothing]);
    await expect.poll(() => subjects(over.kim.email)).toContain('Refund: $200.00');
    for (const each of [down, over])
      expect(
        (await subjects(each.kim.email)).filter((subject) => subject.startsWith('Refund')),
      ).toHaveLength(1);
    const [notice] = (await emailsTo(api, down.kim.email)).filter(({ subject }) =>
      /taken/.test(subject),
    );
    // The email about the removal was not sent yet, so one email says both.
    expect(notice?.text).toContain('We’ll refund your payment');
  });

  test('logs removing and restoring a timed ad with the reason', async () => {
    const { id, params } = await runningAd();
    await admin.call(takeDownAd, { params, body: { reason } });
    await admin.call(putBackAd, { params, body: {} });
    const query = { subject_kind: 'advertiser-ad', subject_id: String(id) };
    const { entries } = await admin.call(auditLog, { query });
    expect(entries).toMatchObject([
      { act: 'advertiser-ad.put-back', after: { taken_down_at: null }, voids: null },
      {
        act: 'advertiser-ad.take-down',
        reason,
        after: { taken_down_reason: reason, taken_down_at: expect.any(String) as string },
        voids: null,
      },
    ]);
  });
});

describe('a listing that an admin removes', () => {
  test('a removed listing stays paused and can’t be renewed', async () => {
    const { kim, id, params } = await paidListing();
    expect(await near()).toEqual([id]);
    const down = await admin.call(takeDownListing, { params, body: { reason } });
    expect(down.advertisement).toMatchObject({ status: 'paused', taken_down_reason: reason });
    expect(await near()).toEqual([]);
    await kim.call(updateListing, { params, body: { paused: false } });
    expect(await near()).toEqual([]);
    expect((await kim.call(getDashboard)).listings).toMatchObject([
      { status: 'paused', taken_down_reason: reason },
    ]);
    const renewal = pay(api, kim, id, { period: 1 });
    await expectRefused(renewal, 409, { error: 'This ad was taken down' });
    expect((await paymentStatuses(id)).filter(([ours]) => ours === 'completed')).toHaveLength(1);
    const paused = await admin.call(listBusinessListings, { query: { status: 'paused' } });
    expect(paused.listings.map((each) => each.id)).toEqual([id]);

    const restore = await admin.call(putBackListing, { params, body: {} });
    expect(restore.advertisement).toMatchObject({ status: 'active', taken_down_reason: null });
    expect(await near()).toEqual([id]);
  });

  test('restoring a listing adds the removed time and emails the new end date', async () => {
    const { kim, id, params } = await paidListing();
    await admin.call(takeDownListing, { params, body: { reason } });
    const taken = (await emailsTo(api, kim.email)).find(({ subject }) => /taken/.test(subject));
    expect(taken?.text).toContain('We’ll add the time it was down to your listing.');
    await markEmailsAsSending(api, kim.email);
    // It was removed for ten days, and it ended three days ago.
    const since = Date.now() - 10 * DAY_MS;
    const end = new Date(Date.now() - 3 * DAY_MS);
    const set = { taken_down_at: new Date(since), subscription_end_date: end };
    await listings().updateOne({ _id: id }, { $set: set });
    const { advertisement } = await admin.call(putBackListing, { params, body: {} });
    const moved = Date.parse(advertisement.subscription_end_date ?? '') - end.getTime();
    expect(moved).toBeGreaterThanOrEqual(10 * DAY_MS);
    expect(moved).toBeLessThan(11 * DAY_MS);
    expect(advertisement.status).toBe('active');
    await expect.poll(() => subjects(kim.email)).toContain('Your ad is back');
    const restore = (await emailsTo(api, kim.email)).find(({ subject }) => /is back/.test(subject));
    expect(restore?.text).toContain(
      'It was down for 10 days, so we extended it: it now runs until',
    );
    const row = await listings().findOne({ _id: id });
    expect(row).not.toHaveProperty('downtime_ms');
    expect(row).not.toHaveProperty('extended_ms');
    const query = { subject_kind: 'business-listing', subject_id: id };
    const { entries } = await admin.call(auditLog, { query });
    expect(entries[0]).toMatchObject({
      act: 'business-listing.put-back',
      after: { downtime_ms: expect.any(Number) as number },
    });
  });

  test('the background job adds the removed time once when a crash interrupted restoring', async () => {
    const { kim, id } = await paidListing();
    const end = new Date(Date.now() + 20 * DAY_MS);
    const set = {
      taken_down_at: null,
      version: 2,
      unnotified_action: 'put-back' as const,
      last_notice: { version: 1, cause: null, before: null, after: 'down' },
      downtime_ms: 3 * HOUR_MS,
      subscription_end_date: end,
    };
    await listings().updateOne({ _id: id }, { $set: set });
    await api.runJobs();
    await api.runJobs();
    await expect.poll(() => subjects(kim.email)).toContain('Your ad is back');
    await expect
      .poll(async () => (await listings().findOne({ _id: id }))?.unnotified_action)
      .toBeUndefined();
    const row = await listings().findOne({ _id: id });
    expect(row?.subscription_end_date).toEqual(new Date(end.getTime() + 3 * HOUR_MS));
    const [notice] = (await emailsTo(api, kim.email)).filter(({ subject }) =>
      /is back/.test(subject),
    );
    expect(notice?.text).toContain('It was down for 3 hours');
  });

  test('sends no email about a listing restored before its removal was announced', async () => {
    const { kim, id } = await paidListing();
    const down = { taken_down_at: new Date(), taken_down_reason: reason };
    await listings().updateOne(
      { _id: id },
      { $set: { ...down, version: 1, unnotified_action: 'take-down' as const } },
    );
    await admin.call(putBackListing, { params: { id }, body: {} });
    // A process that was about to send the first email finds it recalled.
    expect(
      await api.db.collection('advertiser_emails').findOne({ _id: `action 1 ${id}` as never }),
    ).toMatchObject({ is_unwritten: true });
    await admin.call(takeDownListing, { params: { id }, body: { reason } });
    const about = /taken down|is back/;
    expect((await subjects(kim.email)).filter((subject) => about.test(subject))).toEqual([
      'Your ad was taken down',
    ]);
  });

  test('removes and restores several listings at once', async () => {
    const [one, two] = [await paidListing(), await paidListing()];
    const items = [one, two].map(({ id }) => ({ id, version: 0 }));
    const down = await admin.call(changeListings, { body: { action: 'take-down', items, reason } });
    expect(down).toEqual({ done: [one.id, two.id], skipped: [] });
    expect(await near()).toEqual([]);
    const again = { action: 'take-down' as const, items: [{ id: one.id }], reason };
    const skipped = [{ id: one.id, why: 'This ad isn’t running or scheduled' }];
    expect(await admin.call(changeListings, { body: again })).toEqual({ done: [], skipped });
    const restore = { action: 'put-back' as const, items: [{ id: one.id }, { id: two.id }] };
    await admin.call(changeListings, { body: restore });
    expect((await near()).toSorted()).toEqual([one.id, two.id].toSorted());

    const payBack = {
      action: 'pay-back' as const,
      items: [{ id: one.id }, { id: two.id }],
      reason,
    };
    await admin.call(changeListings, {
      body: { action: 'take-down', items: [{ id: one.id }], reason },
    });
    expect((await admin.call(changeListings, { body: payBack })).done).toEqual([one.id]);
    expect(await paymentStatuses(one.id)).toEqual([['refunded', 'refunded']]);
    expect(await paymentStatuses(two.id)).toEqual([['completed', 'paid']]);
  });

  test('removing a listing with a refund refunds only its unfinished months', async () => {
    const { id, params } = await paidListing(3);
    // The first month is over.
    const end = new Date(Date.now() + 45 * DAY_MS);
    await listings().updateOne({ _id: id }, { $set: { subscription_end_date: end } });
    const body = { reason, refund: true };
    const { advertisement } = await admin.call(takeDownListing, { params, body });
    expect((await paymentStatuses(id)).map(([ours]) => ours)).toEqual([
      'completed',
      'refunded',
      'refunded',
    ]);
    expect(advertisement).toMatchObject({ status: 'expired', spent_cents: 10_000 });
    expect(await listings().findOne({ _id: id })).toMatchObject({ pending_refunds: [] });

    const whole = await paidListing();
    const removed = await admin.call(takeDownListing, { params: whole.params, body });
    expect(removed.advertisement.status).toBe('cancelled');
    await expectRefused(admin.call(putBackListing, { params: whole.params, body: {} }), 409);
  });

  test('a later refund covers what was unfinished when the listing was removed', async () => {
    const removedListing = async (months: number, end: number) => {
      const { id, params } = await paidListing(months);
      await admin.call(takeDownListing, { params, body: { reason } });
      const set = {
        taken_down_at: new Date(Date.now() - 30 * DAY_MS),
        subscription_end_date: new Date(Date.now() + end * DAY_MS),
      };
      await listings().updateOne({ _id: id }, { $set: set });
      return { id, params };
    };
    const body = { reason, refund: true };
    const two = await removedListing(2, 25);
    await admin.call(takeDownListing, { params: two.params, body });
    expect((await paymentStatuses(two.id)).map(([ours]) => ours)).toEqual(['refunded', 'refunded']);
    const one = await removedListing(1, -5);
    await admin.call(takeDownListing, { params: one.params, body });
    expect((await paymentStatuses(one.id)).map(([ours]) => ours)).toEqual(['refunded']);
    const over = await removedListing(1, -31);
    await expectRefused(admin.call(takeDownListing, { params: over.params, body }), 409);
  });

  test('the background job sends the email and the refund once when a crash interrupted removing a listing', async () => {
    const { kim, id } = await paidListing();
    const { paid = [] } = (await listings().findOne({ _id: id })) ?? {};
    await listings().updateOne(
      { _id: id },
      {
        $set: {
          taken_down_at: new Date(),
          taken_down_reason: reason,
          version: 1,
          unnotified_action: 'take-down',
          pending_refunds: paid,
        },
      },
    );
    await api.runJobs();
    await api.runJobs();
    await expect.poll(() => paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    await expect
      .poll(() => subjects(kim.email))
      .toEqual(expect.arrayContaining(['Refund: $100.00', 'Your ad was taken down']) as unknown);
    const sent = await emailsTo(api, kim.email);
    const down = sent.filter(({ subject }) => subject === 'Your ad was taken down');
    expect(down).toHaveLength(1);
    expect(down[0]?.text).toContain('We’ll refund your payment');
    expect(await listings().findOne({ _id: id })).not.toHaveProperty('unnotified_action');
  });
});
