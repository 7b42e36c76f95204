import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { auditLog } from '#shared/admin/contract.ts';
import { uploadAdImage } from '#shared/ads/admin-contract.ts';
import {
  correctAd,
  correctListing,
  getAdvertiserAd,
  getBusinessListing,
  listAdvertiserAds,
  listBusinessListings,
  putBackListing,
  takeDownListing,
} from '#shared/advertisers/admin-contract.ts';
import { timedAdText } from '#shared/advertisers/contract.ts';
import {
  cancelTimedAd,
  getDashboard,
  updateListing,
  updateTimedAd,
} from '#shared/advertisers/dashboard-contract.ts';
import {
  approveAdReview,
  listAdReviews,
  refuseAdReview,
} from '#shared/advertisers/review-contract.ts';
import { REFUSED_TEXTS } from '#shared/moderation/content.ts';
import { RESERVED_NAME } from '#shared/profile/reserved-names.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { BookingRow, ListingRow } from '../../api/features/ads/collections.ts';
import type { AdPaymentRow } from '../../api/features/advertisers/collections.ts';
import { createMagicLinks } from '../../api/features/advertisers/dashboard/magic-links.ts';
import { createAdvertiserEmails } from '../../api/features/advertisers/emails.ts';
import { listingsNear } from '../../api/features/advertisers/listings.ts';
import { adReviews } from '../../api/features/advertisers/reviews/reviews.ts';
import { adSlots } from '../../api/features/advertisers/slots.ts';
import type { SandboxPaymentRow } from '../../api/features/payments/collections.ts';
import { openAudit } from '../../api/platform/admin/audit.ts';
import { auditLog as auditRows } from '../../api/platform/admin/collections.ts';
import { adsIn } from '../ads/made-ads.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { addRule } from '../moderation/visible-messages.ts';
import { expectRefused } from '../refusals.ts';
import { spareServices, type SpareServices } from '../services.ts';
import { makeListing } from './made-listings.ts';
import {
  HOUR_MS,
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

const reason = 'The link doesn’t lead to what the ad says.';
const PARK = { latitude: 40.78, longitude: -73.97 };
const PIXEL = { create: { width: 8, height: 8, channels: 3 as const, background: '#306030' } };

let api: TestApi;
let admin: TestPerson;
let other: TestPerson;
let spare: SpareServices;

async function start(mode: 'after' | 'before') {
  api = await startTestApi(inject('mongodbUri'), {
    AD_REVIEW: mode,
    ADMIN_EMAILS: 'admin@example.com, other.admin@example.com',
  });
  admin = await api.asAdmin();
  other = await api.as('other.admin@example.com', { access: false });
  spare = await spareServices(api);
}

async function stop() {
  await spare.close();
  await api.close();
}

beforeEach(async () => {
  await api.db.collection('ad_slots').deleteMany({});
  await bookings().deleteMany({});
  await listings().deleteMany({});
});

const bookings = () => api.db.collection<BookingRow>('advertisement_bookings');
const listings = () => api.db.collection<ListingRow>('business_listings');
const queue = () => admin.call(listAdReviews);
const banner = async () => (await adsIn(api, 'banner')).paid;
const near = async () => listingsNear({ db: spare.services.db, env: spare.services.env }, PARK);

/** Creates reviews on the API’s database without a payment gateway, which simulates a crash after the decision. */
function reviewsWithoutGateway(now?: () => Date) {
  const { services } = spare;
  const slots = adSlots(services.db);
  const emails = createAdvertiserEmails(services, createMagicLinks(services));
  const parts = { emails: emails, slots, purchases: null, ...(now && { now }) };
  return adReviews({ ...services, audit: openAudit(auditRows(services.db)) }, parts);
}

const approve = (id: number | string, version: number, by = admin) =>
  by.call(approveAdReview, { params: { id: String(id) }, body: { version } });
const refuse = (id: number | string, version: number, by = admin, why = reason) =>
  by.call(refuseAdReview, { params: { id: String(id) }, body: { version, reason: why } });

/** Returns the status of each payment of an ad, in our database and at the bank. */
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

const subjects = async (email: string) => (await emailsTo(api, email)).map((each) => each.subject);
const emailTo = async (email: string, subject: string) => {
  await expect.poll(() => subjects(email)).toContain(subject);
  return (await emailsTo(api, email)).find((each) => each.subject === subject)?.text ?? '';
};
const count = async (email: string, subject: string) =>
  (await subjects(email)).filter((each) => each === subject).length;

/** Creates a paid timed ad. Its start can be moved with `moveStart`. */
async function paidTimed(overrides = {}) {
  const kim = await signUp(api);
  const id = await makeTimedAd(kim, overrides);
  await pay(api, kim, id);
  return { kim, id };
}

const moveStart = (id: number, hours: number) =>
  bookings().updateOne(
    { _id: id },
    {
      $set: {
        scheduled_start_at: new Date(Date.now() + hours * HOUR_MS),
        scheduled_end_at: new Date(Date.now() + (hours + 4) * HOUR_MS),
      },
    },
  );

async function paidListing() {
  const kim = await signUp(api);
  const id = await makeLocalAd(kim);
  await pay(api, kim, id);
  return { kim, id };
}

const changeTexts = (kim: Advertiser, id: number, words: object) =>
  kim.call(updateTimedAd, { params: { id }, body: timedAdText.parse(timedFields(words)) });

const listingTexts = (words: object) => {
  const { business_name, description, address, phone, website_url } = localFields();
  return { business_name, description, address, phone, website_url, ...words };
};
const changeListing = (kim: Advertiser, id: string, words: object) =>
  kim.call(updateListing, { params: { id }, body: listingTexts(words) });

describe('AD_REVIEW=after', () => {
  beforeAll(() => start('after'));
  afterAll(stop);

  test('with AD_REVIEW=after, a paid ad runs at once and waits for review as users see it', async () => {
    const { kim, id } = await paidTimed();
    await moveStart(id, -1);
    expect(await banner()).toMatchObject([{ id }]);
    const { items, total } = await queue();
    expect(total).toBe(1);
    expect(items).toMatchObject([
      {
        kind: 'timed',
        version: 1,
        email: kim.email,
        is_pending_approval: false,
        refund_cents: 20_000,
        before: null,
        after: {
          title: 'Kibble, fresh',
          description: 'Around the corner from the park.',
          target_url: 'https://kibble.example/shop',
          image_url: null,
        },
        ad: { id, company_name: 'Kibble & Co', placement: 'banner', cost_cents: 20_000 },
      },
    ]);
    const { ads } = await kim.call(getDashboard);
    const waiting = { of: 'ad', state: 'waiting', reason: null, is_pending_approval: false };
    expect(ads).toMatchObject([{ status: 'active', review: waiting, proposed: null }]);
  });

  test('unpaid, canceled, and removed ads are not in the review queue', async () => {
    const kim = await signUp(api);
    await makeTimedAd(kim);
    const { kim: lee, id } = await paidTimed({ scheduled_start_at: inHours(48) });
    await lee.call(cancelTimedAd, { params: { id } });
    const { id: listing } = await paidListing();
    const params = { id: listing };
    await admin.call(takeDownListing, { params, body: { reason } });
    expect(await queue()).toEqual({ items: [], total: 0 });
    await admin.call(putBackListing, { params, body: {} });
    expect((await queue()).total).toBe(1);
  });

  test('an approved ad continues, leaves the queue, and its advertiser gets an email', async () => {
    const { kim, id } = await paidTimed();
    await approve(id, 1);
    expect((await queue()).total).toBe(0);
    const { ads } = await kim.call(getDashboard);
    expect(ads).toMatchObject([{ status: 'scheduled', review: { state: 'approved' } }]);
    expect(await emailTo(kim.email, 'Your ad is approved')).toContain('It goes live on');
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
    const { entries } = await admin.call(auditLog, { query: { subject_id: String(id) } });
    expect(entries.map(({ act }) => act)).toEqual(['advertiser-ad.approve']);
  });

  test('refusing an ad stops it, refunds it once in full, and emails the reason', async () => {
    const { kim, id } = await paidTimed();
    await moveStart(id, -1);
    await refuse(id, 1);
    expect(await banner()).toEqual([]);
    expect(await paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    expect(await api.db.collection('ad_slots').findOne({ 'taken.ad': id })).toBeNull();
    const text = await emailTo(kim.email, 'Your ad was rejected');
    expect(text).toContain(reason);
    expect(text).toContain('We’ll refund your payment');
    await expect.poll(() => count(kim.email, 'Refund: $200.00')).toBe(1);
    const { ads } = await kim.call(getDashboard);
    expect(ads).toMatchObject([{ status: 'cancelled', review: { state: 'refused', reason } }]);
    // Repeating the decision, like after a lost response, changes nothing.
    await refuse(id, 1);
    await reviewsWithoutGateway().runJob();
    expect(await count(kim.email, 'Your ad was rejected')).toBe(1);
    expect(await count(kim.email, 'Refund: $200.00')).toBe(1);
    const { entries } = await admin.call(auditLog, { query: { subject_id: String(id) } });
    expect(entries).toMatchObject([{ act: 'advertiser-ad.refuse', reason }]);
  });

  test('refusing a listing stops it and refunds the unfinished month', async () => {
    const { kim, id } = await paidListing();
    expect(await near()).toMatchObject([{ id }]);
    const { items } = await queue();
    expect(items).toMatchObject([{ kind: 'listing', refund_cents: 10_000, before: null }]);
    await refuse(id, 1);
    expect(await near()).toEqual([]);
    expect(await paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    const { listings: theirs } = await kim.call(getDashboard);
    expect(theirs).toMatchObject([{ status: 'cancelled', review: { state: 'refused', reason } }]);
    await expectRefused(changeListing(kim, id, { description: 'Better.' }), 409);
  });

  test('refusing an ad that has finished refunds nothing', async () => {
    const { kim, id } = await paidTimed();
    await moveStart(id, -5);
    expect((await queue()).items).toMatchObject([{ refund_cents: null }]);
    await refuse(id, 1);
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
    expect(await emailTo(kim.email, 'Your ad was rejected')).toContain('there’s no refund');
  });

  test('refusing an ad requires a recent sign-in, approving does not', async () => {
    const { id } = await paidTimed();
    const before = new Date(Date.now() - 16 * MINUTE_MS);
    const sessions = api.db.collection('sessions');
    const { matchedCount } = await sessions.updateMany(
      { user_id: admin.user.id },
      { $set: { created_at: before } },
    );
    expect(matchedCount).toBeGreaterThan(0);
    await api.reread(admin);
    await expectRefused(refuse(id, 1), 403, { code: 'recent_sign_in_required' });
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
    await approve(id, 1);
    expect((await queue()).total).toBe(0);
    admin = await api.asAdmin();
    const second = await paidTimed({ scheduled_start_at: inHours(48) });
    await refuse(second.id, 1);
    expect(await paymentStatuses(second.id)).toEqual([['refunded', 'refunded']]);
  });

  test('refusing requires a reason, and only admins can decide or see the queue', async () => {
    const { kim, id } = await paidTimed();
    await expectRefused(refuse(id, 1, admin, '  '), 400, { error: 'Please enter a reason' });
    await expectRefused(kim.call(listAdReviews), 401);
    const sam = await api.as('sam.review@example.com');
    await expectRefused(sam.call(listAdReviews), 403);
    await expectRefused(approve(id, 1, sam), 403);
    await expectRefused(approve(987_654, 1), 404);
    await expectRefused(approve('listing-none', 1), 404);
    await expectRefused(approve('none', 1), 404);
    expect((await queue()).total).toBe(1);
  });

  test('a second admin can’t decide differently and sees the first decision', async () => {
    const { id } = await paidTimed();
    await approve(id, 1);
    await expectRefused(refuse(id, 1, other), 409, {
      code: 'review_decided',
      error: 'admin@example.com already approved this',
    });
    const second = await paidTimed({ scheduled_start_at: inHours(48) });
    const both = await Promise.allSettled([approve(second.id, 1), refuse(second.id, 1, other)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const row = await bookings().findOne({ _id: second.id });
    const isRefused = row?.review?.state === 'refused';
    expect(both[1]?.status).toBe(isRefused ? 'fulfilled' : 'rejected');
    expect(await paymentStatuses(second.id)).toEqual([
      isRefused ? ['refunded', 'refunded'] : ['completed', 'paid'],
    ]);
  });

  test('a change of an approved ad shows at once, and refusing it restores the approved version without a refund', async () => {
    const { kim, id } = await paidTimed();
    await approve(id, 1);
    await changeTexts(kim, id, { target_url: 'https://elsewhere.example/' });
    const { items } = await queue();
    expect(items).toMatchObject([
      {
        version: 3,
        refund_cents: null,
        is_pending_approval: false,
        before: { target_url: 'https://kibble.example/shop' },
        after: { target_url: 'https://elsewhere.example/' },
      },
    ]);
    await moveStart(id, -1);
    expect(await banner()).toMatchObject([{ target_url: 'https://elsewhere.example/' }]);
    await refuse(id, 3);
    expect(await banner()).toMatchObject([{ target_url: 'https://kibble.example/shop' }]);
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
    expect(await emailTo(kim.email, 'Your change was rejected')).toContain(reason);
    const { ads } = await kim.call(getDashboard);
    expect(ads).toMatchObject([
      { status: 'active', review: { of: 'change', state: 'refused', reason } },
    ]);
  });

  test('refusing a later change restores the last approved change', async () => {
    const { kim, id } = await paidListing();
    await approve(id, 1);
    await changeListing(kim, id, { phone: '+1 555 010 0111' });
    await approve(id, 3);
    expect(await emailTo(kim.email, 'Your change is approved')).toContain('approved it');
    await changeListing(kim, id, { phone: '+1 555 010 0122' });
    await refuse(id, 5);
    expect(await near()).toMatchObject([{ phone: '+1 555 010 0111' }]);
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
  });

  test('refuses to approve an ad that changed after the admin saw it', async () => {
    const { kim, id } = await paidTimed();
    await changeTexts(kim, id, { title: 'Something else' });
    await expectRefused(approve(id, 1), 409, { code: 'review_changed' });
    const { items } = await queue();
    expect(items).toMatchObject([{ version: 2, before: null, after: { title: 'Something else' } }]);
    await approve(id, 2);
  });

  test('a change back to the approved version needs no review, and neither does an unchanged ad', async () => {
    const { kim, id } = await paidTimed();
    await approve(id, 1);
    await changeTexts(kim, id, {});
    expect((await queue()).total).toBe(0);
    await changeTexts(kim, id, { title: 'Something else' });
    expect((await queue()).total).toBe(1);
    await changeTexts(kim, id, {});
    expect((await queue()).total).toBe(0);
    const { ads } = await kim.call(getDashboard);
    expect(ads).toMatchObject([{ title: 'Kibble, fresh', review: { state: 'approved' } }]);
  });

  test('changing an ad that predates reviews requests a review', async () => {
    const kim = await signUp(api);
    const { _id: id } = await makeListing(api, { advertiser_id: kim.id });
    expect((await queue()).total).toBe(0);
    await changeListing(kim, id, { description: 'Bowls, and shade.' });
    expect((await queue()).items).toMatchObject([
      {
        before: { description: 'Water bowls under every table.' },
        after: { description: 'Bowls, and shade.' },
        refund_cents: null,
      },
    ]);
    await refuse(id, 1);
    expect(await near()).toMatchObject([{ description: 'Water bowls under every table.' }]);
  });

  test('renewing a listing requests no new review', async () => {
    const { kim, id } = await paidListing();
    await approve(id, 1);
    await pay(api, kim, id, { period: 1 });
    expect((await queue()).total).toBe(0);
  });

  test('the background job makes a refund once when a crash interrupted it after the decision', async () => {
    const { kim, id } = await paidTimed();
    const { kim: lee, id: listing } = await paidListing();
    const cutOff = reviewsWithoutGateway();
    const refusal = { decision: 'refuse', version: 1, reason } as const;
    const caller = { user: { _id: admin.user.id } } as never;
    await cutOff.decide(caller, id, refusal);
    await cutOff.decide(caller, listing, refusal);
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
    expect(await paymentStatuses(listing)).toEqual([['completed', 'paid']]);
    await api.runJobs();
    await expect.poll(() => paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    await expect.poll(() => paymentStatuses(listing)).toEqual([['refunded', 'refunded']]);
    await api.runJobs();
    await expect.poll(() => count(kim.email, 'Refund: $200.00')).toBe(1);
    await expect.poll(() => count(lee.email, 'Refund: $100.00')).toBe(1);
    expect(await count(kim.email, 'Your ad was rejected')).toBe(1);
  });

  test('the background job sends an email once when a crash interrupted it after the decision', async () => {
    const { kim, id } = await paidTimed();
    const approved = {
      'review.state': 'approved' as const,
      'review.version': 2,
      'review.is_email_due': true as const,
    };
    await bookings().updateOne({ _id: id }, { $set: approved });
    await reviewsWithoutGateway().runJob();
    await reviewsWithoutGateway().runJob();
    await expect.poll(() => count(kim.email, 'Your ad is approved')).toBe(1);
    const row = await bookings().findOne({ _id: id });
    expect(row?.review).not.toHaveProperty('is_email_due');
  });
});

describe('the texts of an ad', () => {
  beforeAll(() => start('after'));
  afterAll(stop);
  const BAD = 'go k!ll yourself';
  const blocked = (...fields: string[]) => ({
    code: 'blocked_content',
    fields: Object.fromEntries(fields.map((field) => [field, REFUSED_TEXTS.advertisement])),
  });

  test('refuses ad texts that a rule blocks before payment, and names the fields', async () => {
    const kim = await signUp(api);
    await expectRefused(makeTimedAd(kim, { title: BAD }), 400, blocked('title'));
    await expectRefused(makeLocalAd(kim, { business_name: BAD }), 400, blocked('business_name'));
    await expectRefused(
      makeLocalAd(kim, { address: BAD, description: BAD }),
      400,
      blocked('description', 'address'),
    );
    expect(await bookings().countDocuments()).toBe(0);
    expect(await listings().countDocuments()).toBe(0);
    const id = await makeTimedAd(kim);
    const changed = makeTimedAd(kim, { advertisement_id: id, description: BAD });
    await expectRefused(changed, 400, blocked('description'));
    await pay(api, kim, id);
    await expectRefused(changeTexts(kim, id, { title: BAD }), 400, blocked('title'));
    const { id: listing, kim: lee } = await paidListing();
    await expectRefused(changeListing(lee, listing, { address: BAD }), 400, blocked('address'));
    expect((await queue()).items).toMatchObject([{ version: 1 }, { version: 1 }]);
  });

  test('refuses a business that claims to be the product or its staff, new or changed', async () => {
    const reserved = { fields: { business_name: RESERVED_NAME } };
    for (const business_name of ['Leashwise Support', 'Leashvvise', 'Moderator'])
      await expectRefused(makeLocalAd(await signUp(api), { business_name }), 400, reserved);
    const { id, kim } = await paidListing();
    await expectRefused(changeListing(kim, id, { business_name: 'L3ashwise' }), 400, reserved);
  });

  test('marks flagged ad texts in the queue until they change', async () => {
    await addRule(admin, 'miracle', 'flag');
    const { kim, id } = await paidTimed({ description: 'A miracle cure for fleas.' });
    const { kim: lee, id: listing } = await paidListing();
    expect((await queue()).items).toMatchObject([
      { ad: { id: listing }, is_flagged: false },
      { ad: { id }, is_flagged: true },
    ]);
    await changeListing(lee, listing, { description: 'Our miracle cure.' });
    await changeTexts(kim, id, { description: 'A shampoo against fleas.' });
    expect((await queue()).items).toMatchObject([
      { ad: { id: listing }, is_flagged: true },
      { ad: { id }, is_flagged: false },
    ]);
  });
});

describe('AD_REVIEW=before', () => {
  beforeAll(() => start('before'));
  afterAll(stop);

  test('with AD_REVIEW=before, a timed ad shows only after approval, and the advertiser is notified', async () => {
    const { kim, id } = await paidTimed();
    const text = await emailTo(kim.email, 'Your ad is scheduled');
    expect(text).toContain('We’ll review your ad before it goes live.');
    const waitingReview = { of: 'ad', state: 'waiting', reason: null, is_pending_approval: true };
    const { ads } = await kim.call(getDashboard);
    expect(ads).toMatchObject([{ status: 'scheduled', review: waitingReview }]);
    await approve(id, 1);
    await moveStart(id, -1);
    expect(await banner()).toMatchObject([{ id }]);
  });

  test('an ad not approved by its start does not run and is refunded', async () => {
    const { kim, id } = await paidTimed();
    await moveStart(id, -1);
    expect(await banner()).toEqual([]);
    const status = async (wanted: 'active' | 'cancelled') =>
      (await admin.call(listAdvertiserAds, { query: { status: wanted } })).ads.map((ad) => ad.id);
    // This holds even before the background job runs.
    expect(await status('active')).toEqual([]);
    expect(await status('cancelled')).toEqual([id]);
    await expectRefused(approve(id, 1), 409, { code: 'review_decided' });
    await expect.poll(() => paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    expect(await emailTo(kim.email, 'Your ad didn’t run')).toContain('before its start');
    const second = await paidTimed({ scheduled_start_at: inHours(48) });
    await moveStart(second.id, -1);
    await api.runJobs();
    await expect.poll(() => paymentStatuses(second.id)).toEqual([['refunded', 'refunded']]);
    await expect.poll(() => count(second.kim.email, 'Refund: $200.00')).toBe(1);
    expect(await count(second.kim.email, 'Your ad didn’t run')).toBe(1);
    expect(await count(second.kim.email, 'Your ad is live')).toBe(0);
    expect((await queue()).total).toBe(0);
  });

  test('refusing an ad before its start refunds it and frees its time', async () => {
    const { kim, id } = await paidTimed();
    await refuse(id, 1);
    expect(await paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    const lee = await signUp(api);
    await makeTimedAd(lee, { scheduled_start_at: inHours(24) });
    expect(await count(kim.email, 'Your ad was rejected')).toBe(1);
  });

  test('the month of a listing begins when the listing is approved', async () => {
    const { kim, id } = await paidListing();
    expect(await emailTo(kim.email, 'Your listing is paid')).toContain(
      'We’ll review your listing before it goes live.',
    );
    expect(await near()).toEqual([]);
    const theirs = (await kim.call(getDashboard)).listings;
    expect(theirs).toMatchObject([{ status: 'paused', review: { is_pending_approval: true } }]);
    const paused = await admin.call(listBusinessListings, { query: { status: 'paused' } });
    expect(paused.listings.map((ad) => ad.id)).toEqual([id]);
    const active = await admin.call(listBusinessListings, { query: { status: 'active' } });
    expect(active.listings).toEqual([]);
    await expectRefused(pay(api, kim, id, { period: 1 }), 409);
    // Two days later.
    const ago = new Date(Date.now() - 2 * DAY_MS);
    const end = new Date(ago.getTime() + 30 * DAY_MS);
    const times = { subscription_start_date: ago, subscription_end_date: end };
    await listings().updateOne({ _id: id }, { $set: times });
    await approve(id, 1);
    expect(await near()).toMatchObject([{ id }]);
    const row = await listings().findOne({ _id: id });
    const runs =
      (row?.subscription_end_date?.getTime() ?? 0) - (row?.subscription_start_date?.getTime() ?? 0);
    expect(runs).toBe(30 * DAY_MS);
    expect(row?.subscription_start_date?.getTime()).toBeGreaterThan(ago.getTime() + DAY_MS);
  });

  test('refunds a listing that was not reviewed within a week', async () => {
    const { kim, id } = await paidListing();
    const week = () => new Date(Date.now() + 7 * DAY_MS + HOUR_MS);
    await reviewsWithoutGateway().runJob();
    expect((await queue()).total).toBe(1);
    await reviewsWithoutGateway(week).runJob();
    expect((await queue()).total).toBe(0);
    await api.runJobs();
    await expect.poll(() => paymentStatuses(id)).toEqual([['refunded', 'refunded']]);
    expect(await emailTo(kim.email, 'Your ad didn’t run')).toContain('within 7 days');
    expect(await near()).toEqual([]);
  });

  test('users see the approved version until a change is approved', async () => {
    const { kim, id } = await paidListing();
    await approve(id, 1);
    const { advertisement } = await changeListing(kim, id, { phone: '+1 555 010 0111' });
    expect(advertisement).toMatchObject({
      phone: '+1 555 010 0100',
      proposed: { phone: '+1 555 010 0111' },
      review: { of: 'change', state: 'waiting', is_pending_approval: true },
    });
    expect(await near()).toMatchObject([{ phone: '+1 555 010 0100' }]);
    expect((await queue()).items).toMatchObject([
      {
        is_pending_approval: true,
        refund_cents: null,
        before: { phone: '+1 555 010 0100' },
        after: { phone: '+1 555 010 0111' },
      },
    ]);
    await approve(id, 3);
    expect(await near()).toMatchObject([{ phone: '+1 555 010 0111' }]);
    await changeListing(kim, id, { phone: '+1 555 010 0122' });
    await refuse(id, 5);
    expect(await near()).toMatchObject([{ phone: '+1 555 010 0111' }]);
    expect(await paymentStatuses(id)).toEqual([['completed', 'paid']]);
    const theirs = (await kim.call(getDashboard)).listings;
    expect(theirs).toMatchObject([{ proposed: null, review: { of: 'change', state: 'refused' } }]);
  });

  test('an approved ad that an admin corrects stays approved, also when a waiting change is refused', async () => {
    const { kim, id } = await paidTimed();
    await approve(id, 1);
    await changeTexts(kim, id, { title: 'Kible at half price' });
    const file = new Blob([new Uint8Array(await sharp(PIXEL).png().toBuffer())], {
      type: 'image/png',
    });
    const { image_url } = await admin.call(uploadAdImage, { file });
    const correct = (body: object) =>
      admin.call(correctAd, { params: { id }, body: { version: 1, ...body } });
    await expectRefused(correct({ image_url: 'https://elsewhere.example/dog.png' }), 400, {
      fields: { image_url: expect.any(String) as string },
    });
    await expectRefused(correct({ title: ' ' }), 400, {
      fields: { title: expect.any(String) as string },
    });
    await expectRefused(correct({ title: 'Kibble', version: 0 }), 409, {
      code: 'edited_meanwhile',
    });
    const { advertisement } = await correct({ title: 'Kibble, very fresh', image_url });
    const isStored = image_url.endsWith(advertisement.image_url ?? 'none');
    expect(isStored).toBe(true);
    expect(advertisement).toMatchObject({
      title: 'Kibble, very fresh',
      target_url: 'https://kibble.example/shop',
      review: { of: 'change', state: 'waiting' },
      proposed: { title: 'Kible at half price' },
      version: 2,
    });
    expect((await admin.call(getAdvertiserAd, { params: { id } })).advertisement).toEqual(
      advertisement,
    );
    const { entries } = await admin.call(auditLog, { query: { subject_id: String(id) } });
    expect(entries[0]).toMatchObject({
      act: 'advertiser-ad.update',
      before: { title: 'Kibble, fresh', image_key: null },
      after: { title: 'Kibble, very fresh' },
    });
    await refuse(id, 3);
    const { ads } = await kim.call(getDashboard);
    expect(ads).toMatchObject([
      { title: 'Kibble, very fresh', image_url: advertisement.image_url, proposed: null },
    ]);
    // The corrected content counts as approved: to enter it again needs no review.
    await changeTexts(kim, id, { title: 'Kibble, very fresh' });
    expect((await queue()).items).toEqual([]);
  });

  test('an admin corrects a listing, and people see its new texts', async () => {
    const { id } = await paidListing();
    await approve(id, 1);
    const correct = (body: object) =>
      admin.call(correctListing, { params: { id }, body: { version: 1, ...body } });
    const { advertisement } = await correct({ business_name: 'Paws & Tea', phone: '' });
    expect(advertisement).toMatchObject({
      business_name: 'Paws & Tea',
      phone: null,
      address: '1 Park Lane',
      review: { state: 'approved' },
    });
    expect(await near()).toMatchObject([{ business_name: 'Paws & Tea', phone: null }]);
    expect((await admin.call(getBusinessListing, { params: { id } })).advertisement).toEqual(
      advertisement,
    );
    await expectRefused(
      admin.call(correctListing, { params: { id: 'listing-none' }, body: { version: 0 } }),
      404,
      { error: 'Advertisement not found' },
    );
  });

  test('a change of an unreviewed ad is part of the same review', async () => {
    const { kim, id } = await paidTimed();
    await changeTexts(kim, id, { title: 'Something else' });
    expect((await queue()).items).toMatchObject([
      { version: 2, before: null, after: { title: 'Something else' }, refund_cents: 20_000 },
    ]);
    await expectRefused(approve(id, 1), 409, { code: 'review_changed' });
    await approve(id, 2);
    await moveStart(id, -1);
    expect(await banner()).toMatchObject([{ title: 'Something else' }]);
  });
});
