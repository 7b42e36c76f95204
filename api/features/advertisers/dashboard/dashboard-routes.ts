import type { Context } from 'koa';
import type { Filter } from 'mongodb';
import { ADVERTISER_COOKIE } from '#shared/advertisers/contract.ts';
import {
  cancelTimedAd,
  DASHBOARD_COOKIE,
  getDashboard,
  leaveDashboard,
  openDashboard,
  sendDashboardLink,
  updateListing,
  updateTimedAd,
  BAD_LINK,
} from '#shared/advertisers/dashboard-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { newId } from '#shared/ids.ts';
import { clearCookie, setCookie } from '../../../platform/http/cookies.ts';
import { serve } from '../../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../../platform/http/request-origin.ts';
import { addressId } from '../../../platform/mail-queue/messages.ts';
import type { Api } from '../../../platform/services.ts';
import type { Caller } from '../../../platform/session-cache.ts';
import {
  type BookingRow,
  type ListingContent,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../../ads/collections.ts';
import { refuseWords } from '../ad-words.ts';
import { findAd } from '../ads.ts';
import { advertisers, adPayments } from '../collections.ts';
import { linkEmail } from '../email-templates.ts';
import type { AdvertiserEmails } from '../emails.ts';
import type { Purchases } from '../purchases.ts';
import type { Reviews } from '../reviews/reviews.ts';
import { presentAds, presentPayments } from '../serialize.ts';
import type { Slots } from '../slots.ts';
import type { AdvertiserAccess } from './advertiser-auth.ts';
import type { MagicLinks } from './magic-links.ts';

const COOKIE_SECONDS = 90 * 24 * 60 * 60;
const SHOWN = 200;

const notFound = () => new HttpError(404, 'Advertisement not found');
const started = () => new HttpError(409, 'This ad has already started or was canceled');

interface Parts {
  access: AdvertiserAccess;
  links: MagicLinks;
  emails: AdvertiserEmails;
  slots: Slots;
  purchases: Purchases | null;
  reviews: Reviews;
}

export function mountDashboard(
  api: Api,
  { access, links, emails, slots, purchases, reviews }: Parts,
): void {
  const { services } = api;
  const { db, limiter, log } = services;
  const present = presentAds(db);
  const limit = limiter({ name: 'advertiser-dashboard', points: 120, seconds: 60 });
  const limitLinks = limiter({ name: 'advertiser-links', points: 20, seconds: 3_600 });
  const limitMailbox = limiter({
    name: 'advertiser-mailbox',
    points: 5,
    seconds: 3_600,
    shared: true,
  });

  /** @throws HttpError 401 for a browser without advertisers that opened no link */
  async function mine(ctx: Context) {
    await limit(networkOf(addressOf(ctx)));
    const rows = await access.advertisersOf(ctx);
    const dashboard = await access.dashboardOf(ctx);
    if (rows.length === 0 && !dashboard)
      throw new HttpError(401, 'Open the dashboard link in your email', {
        code: 'no_dashboard',
      });
    return { ids: rows.map(({ _id }) => _id), dashboard };
  }

  serve(api, openDashboard, async ({ body, ctx }) => {
    await limit(networkOf(addressOf(ctx)));
    if (!(await links.read(body.token))) throw new HttpError(404, BAD_LINK);
    setCookie(ctx, DASHBOARD_COOKIE, body.token, COOKIE_SECONDS);
    return {};
  });

  serve(api, getDashboard, async ({ ctx }) => {
    const { ids, dashboard } = await mine(ctx);
    const theirs = { advertiser_id: { $in: ids } };
    const newest = { sort: { created_at: -1, _id: -1 }, limit: SHOWN } as const;
    const now = new Date();
    const [ads, listings, payments] = await Promise.all([
      advertisementBookings(db).find(theirs, newest).toArray(),
      businessListings(db).find(theirs, newest).toArray(),
      adPayments(db)
        .find({ ...theirs, submitted_at: { $ne: null } }, newest)
        .toArray(),
    ]);
    return {
      email: dashboard?.email ?? null,
      ads: await present.timed(ads, now),
      listings: await present.listings(listings, now),
      payments: await presentPayments(db, payments),
      seller: services.env.AD_SELLER,
    };
  });

  serve(api, leaveDashboard, async ({ body, ctx }) => {
    const dashboard = await access.dashboardOf(ctx);
    if (body.everywhere && dashboard) await links.revoke(dashboard._id);
    clearCookie(ctx, DASHBOARD_COOKIE);
    clearCookie(ctx, ADVERTISER_COOKIE);
    return {};
  });

  /** Only advertisers who paid get a link, so that no one else gets emails. */
  async function sendLink(email: string): Promise<void> {
    const rows = await advertisers(db).find({ email }).toArray();
    const paid = await adPayments(db).findOne({
      advertiser_id: { $in: rows.map(({ _id }) => _id) },
      paid_at: { $ne: null },
    });
    const advertiser = rows.find(({ _id }) => _id === paid?.advertiser_id);
    if (advertiser) await emails.send(`link ${newId()}`, advertiser, linkEmail());
  }

  serve(api, sendDashboardLink, async ({ body, ctx }) => {
    await limitLinks(networkOf(addressOf(ctx)));
    await limitMailbox(addressId('email', body.email));
    // The response does not wait, so that its timing does not reveal who advertises.
    void sendLink(body.email).catch((err: unknown) =>
      log.error({ err }, 'failed to send a dashboard link'),
    );
    return {};
  });

  mountAdChanges(api, { slots, purchases, reviews, mine });
}

/** Changes of ads that are paid. */
function mountAdChanges(
  api: Api,
  {
    slots,
    purchases,
    reviews,
    mine,
  }: Pick<Parts, 'slots' | 'purchases' | 'reviews'> & {
    /** The advertisers of this browser. */
    mine: (ctx: Context) => Promise<{ ids: string[] }>;
  },
): void {
  const { services } = api;
  const { db } = services;
  const present = presentAds(db);
  // Each change requests a review.
  const limitChanges = services.limiter({
    name: 'advertiser-changes',
    points: 20,
    seconds: 3_600,
    shared: true,
  });

  const one = async (row: BookingRow | null) => {
    const [advertisement] = row ? await present.timed([row], new Date()) : [];
    if (!advertisement) throw notFound();
    return { advertisement };
  };

  /** @throws HttpError the given error if the advertisers have such an ad, else 404 */
  async function refuse(id: number | string, ids: string[], refusal: HttpError): Promise<never> {
    throw (await findAd(db, id, ids)) ? refusal : notFound();
  }

  serve(api, updateTimedAd, async ({ params: { id }, body, visitor, ctx }) => {
    const { ids } = await mine(ctx);
    const open = () =>
      advertisementBookings(db).findOne({
        _id: id,
        advertiser_id: { $in: ids },
        cancelled_at: null,
        taken_down_at: null,
        payment_status: { $ne: 'refunded' },
        scheduled_start_at: { $gt: new Date() },
      });
    const ad = await open();
    if (!ad) return refuse(id, ids, started());
    await limitChanges(String(id));
    const content = { ...body, image_key: ad.image_key };
    const { title, description } = body;
    const isFlagged = await refuseWords(services, visitor, String(id), { title, description });
    const row = await reviews.change(open, content, isFlagged);
    return row ? one(row as BookingRow) : refuse(id, ids, started());
  });

  async function changeListing(
    mayChange: Filter<ListingRow>,
    fields: Omit<ListingContent, 'image_key'>,
    visitor: Caller | null,
  ): Promise<ListingRow | null> {
    const open = () => businessListings(db).findOne(mayChange);
    const listing = await open();
    if (!listing) return null;
    await limitChanges(listing._id);
    const content = { ...fields, image_key: listing.image_key };
    const { business_name, description, address } = fields;
    const texts = { business_name, description, address };
    const isFlagged = await refuseWords(services, visitor, listing._id, texts);
    return (await reviews.change(open, content, isFlagged)) as ListingRow | null;
  }

  serve(api, cancelTimedAd, async ({ params: { id }, ctx }) => {
    const { ids } = await mine(ctx);
    const now = new Date();
    const row = await advertisementBookings(db).findOneAndUpdate(
      {
        _id: id,
        advertiser_id: { $in: ids },
        cancelled_at: null,
        taken_down_at: null,
        scheduled_start_at: { $gt: now },
      },
      { $set: { cancelled_at: now } },
      { returnDocument: 'after' },
    );
    if (!row) return refuse(id, ids, started());
    await slots.release(id);
    // The background job does whatever the gateway does not do now.
    await purchases?.payBack(row);
    return one(await advertisementBookings(db).findOne({ _id: id }));
  });

  serve(api, updateListing, async ({ params: { id }, body, visitor, ctx }) => {
    const { ids } = await mine(ctx);
    const mayChange: Filter<ListingRow> = {
      _id: id,
      advertiser_id: { $in: ids },
      payment_status: { $ne: 'refunded' },
      $nor: [{ 'review.of': 'ad', 'review.state': { $in: ['refused', 'not_reviewed'] } }],
    };
    const row =
      'paused' in body
        ? await businessListings(db).findOneAndUpdate(
            mayChange,
            { $set: { paused_at: body.paused ? new Date() : null } },
            { returnDocument: 'after' },
          )
        : await changeListing(mayChange, body, visitor);
    if (!row) return refuse(id, ids, new HttpError(409, 'This listing was canceled'));
    const [advertisement] = await present.listings([row], new Date());
    if (!advertisement) throw notFound();
    return { advertisement };
  });
}
