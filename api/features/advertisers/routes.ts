import type { Context } from 'koa';
import type { Filter, Db } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import {
  checkAdPayment,
  createAdvertiser,
  createLocationAd,
  createTimedAd,
  findSlot,
  listTakenTimes,
  payForAd,
  type CompanyFields,
} from '#shared/advertisers/contract.ts';
import { AUDIENCE_STEPS, estimateReach, getAudience } from '#shared/advertisers/reach-contract.ts';
import { endOfSlot } from '#shared/advertisers/rules.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { cacheSlowResult } from '../../platform/admin/adaptive-cache.ts';
import { wordsOf } from '../../platform/admin/search.ts';
import { runIsolated } from '../../platform/for-each-isolated.ts';
import { serve, serveAdmitted, type Announced } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import { offered, type Api } from '../../platform/services.ts';
import { users } from '../../platform/session/collections.ts';
import { advertisementBookings, businessListings } from '../ads/collections.ts';
import { limitDeclined } from '../payments/declined.ts';
import { paymentsAreOff, unpaidRefusal } from '../payments/payment-result.ts';
import { refuseWords } from './ad-words.ts';
import { mountAdvertiserAdmin } from './admin-routes.ts';
import { findAd, type PaidAd } from './ads.ts';
import { type AdvertiserRow, advertisers } from './collections.ts';
import { advertiserAccess, advertiserNotFound } from './dashboard/advertiser-auth.ts';
import { mountDashboard } from './dashboard/dashboard-routes.ts';
import { createMagicLinks } from './dashboard/magic-links.ts';
import { createAdDrafts } from './drafts.ts';
import { createAdvertiserEmails } from './emails.ts';
import { sendLifecycleEmails } from './lifecycle.ts';
import { createAdPurchases } from './purchases.ts';
import { listingReach, timedReach } from './reach/reach.ts';
import { countViewHours } from './reach/view-hours.ts';
import { runOldAdvertisersJob } from './retention.ts';
import { mountReviews } from './reviews/review-routes.ts';
import { adReviews } from './reviews/reviews.ts';
import { adSlots, type Slots, firstFree } from './slots.ts';
import { mountTakeDowns } from './take-downs/take-down-routes.ts';
import { takeDowns } from './take-downs/take-downs.ts';

const AGENT_MAX = 512;

interface SlotQuery {
  placement: Placement;
  advertisement_id?: number | undefined;
}

/** Matches the accounts that ads can reach: with access, and not suspended. */
const reachable = (now: Date): Filter<UserRow> => ({
  access_expires_at: { $gt: now },
  suspended_until: { $not: { $gt: now } },
});

/** Signing up as an advertiser, paying for ads, and the dashboard. */
export function mountAdvertisers(api: Api): void {
  const { services } = api;
  const payments = offered(api, 'payments');
  const { db, images, limiter } = services;
  const links = createMagicLinks(services);
  const emails = createAdvertiserEmails(services, links);
  const access = advertiserAccess(services, links);
  const slots = adSlots(db);
  const drafts = createAdDrafts(services, slots);
  const mode = services.env.AD_REVIEW;
  const { AD_TAX_NAME: name, AD_TAX_PERCENT: percent } = services.env;
  const tax = name && percent ? { name, percent } : null;
  const purchases =
    payments && createAdPurchases(services, payments.gateway, { slots, emails, mode, tax });
  const downs = takeDowns(services, { emails, slots, purchases });
  const reviews = adReviews(services, { emails, slots, purchases });
  const hourly = { seconds: 3_600, shared: true };
  const limitMade = limiter({ name: 'advertiser-made', points: 60, ...hourly });
  const limitDrafts = limiter({ name: 'advertiser-ads', points: 30, ...hourly });
  const limitAsked = limiter({ name: 'advertiser-asked', points: 240, seconds: 60 });
  const declined = limitDeclined(services, 'advertiser-refused');

  images.spare(async (files) => {
    const keys = { image_key: { $in: files.map(({ key }) => key) } };
    return [
      ...(await advertisementBookings(db).distinct('image_key', keys)),
      ...(await businessListings(db).distinct('image_key', keys)),
    ];
  });
  const steps = [
    // First, because these emails mention a refund that is not made yet.
    () => downs.runJob(),
    () => reviews.runJob(),
    async () => purchases?.runJob(),
    () => drafts.runJob(),
    () => sendLifecycleEmails(services, emails, new Date()),
    () => emails.runJob(),
    () => runOldAdvertisersJob(db),
  ];
  services.registerJob('advertisers', () => runIsolated(steps));
  services.registerJob('ad reach', () => countViewHours(db, new Date()));
  if (payments && purchases) payments.listen(purchases.handleEvent);
  mountAdvertiserAdmin(api);
  mountTakeDowns(api, downs);
  mountReviews(api, reviews);
  mountDashboard(api, { access, links, emails, slots, purchases, reviews });

  const network = (ctx: Context) => networkOf(addressOf(ctx));
  /** @param id of the ad to change; undefined for a new one */
  const ownIds = async (ctx: Context, id: unknown) =>
    id ? (await access.advertisersOf(ctx)).map(({ _id }) => _id) : [];

  serve(api, createAdvertiser, async ({ body, ctx, idFor }) => {
    await limitMade(network(ctx));
    const holder = access.holderOf(ctx);
    const advertiser = await saveAdvertiser(db, holder, body, await idFor(holder));
    return { advertiser: { id: advertiser._id } };
  });

  /** @throws HttpError 404 for a browser without advertisers, 429 */
  async function admit({ ctx }: Announced<unknown, unknown>): Promise<void> {
    await limitDrafts.check(network(ctx));
    if ((await access.advertisersOf(ctx)).length === 0) throw advertiserNotFound();
  }

  serveAdmitted(api, createTimedAd, admit, async ({ body, attachment, visitor, ctx, idFor }) => {
    await limitDrafts(network(ctx));
    const { advertiser_id, advertisement_id: id, ...fields } = body;
    const advertiser = await access.own(ctx, advertiser_id);
    const request = await idFor(advertiser._id);
    const which = { id, whose: await ownIds(ctx, id), request };
    const { title, description } = fields;
    const adId = id ? String(id) : null;
    const is_flagged = await refuseWords(services, visitor, adId, { title, description });
    const content = { ...fields, is_flagged };
    const ad = await drafts.saveTimed(advertiser._id, content, attachment, which);
    return { advertisement: { id: ad._id, cost_cents: ad.cost_cents, review: mode } };
  });

  serveAdmitted(api, createLocationAd, admit, async ({ body, attachment, visitor, ctx, idFor }) => {
    await limitDrafts(network(ctx));
    const { advertiser_id, advertisement_id: id, ...fields } = body;
    const advertiser = await access.own(ctx, advertiser_id);
    const which = { id, whose: await ownIds(ctx, id), freshId: await idFor(advertiser._id) };
    const { business_name, description, address } = fields;
    const texts = { business_name, description, address };
    const is_flagged = await refuseWords(services, visitor, id ?? null, texts);
    const content = { ...fields, is_flagged };
    const ad = await drafts.saveLocal(advertiser._id, content, attachment, which);
    return { advertisement: { id: ad._id, cost_cents: ad.monthly_cost_cents, review: mode } };
  });

  mountEstimates(api, { slots, ownIds, limit: async (ctx) => limitAsked(network(ctx)) });

  serve(api, payForAd, async ({ body, ctx }) => {
    const ad = await ownAd(ctx, body.advertiser_id, body.advertisement_id);
    if (!purchases) throw paymentsAreOff();
    const payer = {
      ip_address: addressOf(ctx),
      user_agent: ctx.get('user-agent').slice(0, AGENT_MAX),
    };
    const row = await declined.attempt(network(ctx), async (fail) => {
      const paid = await purchases.pay(ad, body.period, body.payment_token, payer);
      if (paid.failure === PAYMENT_REFUSALS.declined) fail();
      return paid;
    });
    if (row.payment_status === 'completed') return { success: true, error: null };
    throw unpaidRefusal(row);
  });

  serve(api, checkAdPayment, async ({ body, ctx }) => {
    await limitAsked(network(ctx));
    const ad = await ownAd(ctx, body.advertiser_id, body.advertisement_id);
    if (!purchases) throw paymentsAreOff();
    const row = await purchases.check(ad, body.period);
    return { payment_status: row?.payment_status ?? 'failed' };
  });

  /** @throws HttpError 404 unless this browser can access both */
  async function ownAd(ctx: Context, advertiserId: string, id: PaidAd['_id']): Promise<PaidAd> {
    const { _id } = await access.own(ctx, advertiserId);
    const ad = await findAd(db, id, [_id]);
    if (!ad) throw new HttpError(404, 'Advertisement not found');
    return ad;
  }
}

/** Stores one row for each browser and email, so that others with the same email cannot read or change it. */
async function saveAdvertiser(
  db: Db,
  holder: string,
  { email, ...fields }: CompanyFields,
  _id: string,
): Promise<AdvertiserRow> {
  const now = new Date();
  const words = wordsOf(fields.company_name, fields.contact_name, email);
  const save = () =>
    advertisers(db).findOneAndUpdate(
      { holder, email },
      { $set: { ...fields, words, updated_at: now }, $setOnInsert: { _id, created_at: now } },
      { upsert: true, returnDocument: 'after' },
    );
  // Of two concurrent calls, one creates the row and the other one finds it.
  const row = await save().catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
    return save();
  });
  if (!row) throw new Error('the upsert of an advertiser returned no row');
  return row;
}

/** What advertisers ask before they pay: the next free time, and how many see an ad. */
function mountEstimates(
  api: Api,
  {
    slots,
    ownIds,
    limit,
  }: {
    slots: Slots;
    ownIds: (ctx: Context, id: unknown) => Promise<string[]>;
    limit: (ctx: Context) => Promise<void>;
  },
): void {
  const { db } = api.services;

  /** Leaves out only this browser's own ad; otherwise the times of other ads could be probed. */
  async function takenByOthers(
    ctx: Context,
    { placement, advertisement_id: id }: SlotQuery,
    from: Date,
  ) {
    const own = id && (await findAd(db, id, await ownIds(ctx, id))) ? id : null;
    return slots.takenFrom(placement, from, new Date(), own);
  }

  serve(api, findSlot, async ({ query, ctx }) => {
    await limit(ctx);
    const start = new Date(query.scheduled_start_at);
    const length = endOfSlot(start, query.duration_hours).getTime() - start.getTime();
    const taken = await takenByOthers(ctx, query, start);
    const next = firstFree(taken, start, length);
    return { is_free: next.getTime() === start.getTime(), next_free_at: next.toISOString() };
  });

  serve(api, listTakenTimes, async ({ query, ctx }) => {
    await limit(ctx);
    const taken = await takenByOthers(ctx, query, new Date(query.from));
    const end = new Date(query.until);
    return {
      taken: taken
        .filter((slot) => slot.start < end)
        .map((slot) => ({ start: slot.start.toISOString(), end: slot.end.toISOString() })),
    };
  });

  serve(api, estimateReach, async ({ query, ctx }) => {
    await limit(ctx);
    const now = new Date();
    const views =
      query.kind === 'timed'
        ? await timedReach(db, query.placement, new Date(query.scheduled_start_at), now)
        : await listingReach(db, now);
    return { views };
  });

  const countMembers = cacheSlowResult(() =>
    users(db).countDocuments(reachable(new Date()), { limit: Math.max(...AUDIENCE_STEPS) }),
  );
  serve(api, getAudience, async ({ ctx }) => {
    await limit(ctx);
    const members = await countMembers();
    return { members: AUDIENCE_STEPS.findLast((step) => step <= members) ?? 0 };
  });
}
