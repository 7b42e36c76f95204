import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { Placement } from '#shared/ads/contract.ts';
import type { BookingTimes, ListingTimes } from '#shared/ads/rules.ts';
import type { BusinessType } from '#shared/advertisers/business-types.ts';
import type { ReviewState } from '#shared/advertisers/reviews.ts';
import type { TakenDownAd } from '#shared/advertisers/take-downs.ts';

/** A house ad's id is a text, a paid one's a number, a listing's a text that begins as `LISTING` has it. */
export type AdId = string | number;

const LISTING = 'listing-';
/** What a business listing is called, so that no house ad is taken for one. */
export const newListingId = (id: string): string => `${LISTING}${id}`;

/** Whether an id is that of a business listing: those of timed ads are numbers, those of house ads other texts. */
export const isListingId = (id: AdId): id is string =>
  typeof id === 'string' && id.startsWith(LISTING);
/** Matches the ids of house ads alone. */
export const HOUSE_ID = { $type: 'string' as const, $not: new RegExp(`^${LISTING}`) };

/** How often an ad was seen and clicked, as far as it is added up; the rest is in its events (see counts.ts). */
export interface CountedRow {
  impressions: number;
  clicks: number;
  counted_until: Date;
}

/** What admins note on an ad that is paid for. */
export interface ModeratedRow extends TakenDownAd {
  /** How often admins changed it; left out before the first time. */
  version?: number;
  /** What they did of which its advertiser was not told yet. */
  unnotified_action?: 'take-down' | 'put-back' | 'refund';
  last_notice?: LastNotice;
}

/** The last deed that an advertiser was told of, and what the advertiser knows: null that the ad is shown, else why it is not. */
export interface LastNotice {
  /** The deed's version. */
  version: number;
  /** The letter's; null where there was nothing to tell. */
  cause: string | null;
  /** As long as the letter has not gone out. */
  before: string | null;
  after: string | null;
}

/** What people see of a timed ad, which its review is about. */
export interface TimedContent {
  title: string;
  description: string;
  /** A key of /api/public-files. */
  image_key: string | null;
  target_url: string;
}

/** What people see of a business listing. */
export interface ListingContent {
  business_name: string;
  description: string;
  address: string | null;
  phone: string | null;
  website_url: string | null;
  /** A key of /api/public-files. */
  image_key: string | null;
}

/** The review of a paid ad, or of the last change of one that was approved before (decision 260). */
export interface AdReviewRow {
  of: 'ad' | 'change';
  state: ReviewState;
  /** Grows with each submission and each decision. */
  version: number;
  submitted_at: Date;
  /** What the queue is ordered by: from then on people see it, or it is refunded. */
  due_at: Date;
  decided_at: Date | null;
  /** The admin's user id. */
  decided_by: string | null;
  /** Why it was refused. */
  reason: string | null;
  /** The advertiser was not emailed about the decision yet. */
  is_email_due?: true;
}

/** The row itself has the content that people see, or will. */
export interface ReviewedRow<Content> {
  /** Absent until it is paid, and on ads that were paid before there were reviews. */
  review?: AdReviewRow;
  /** The content that was approved last; absent until the first approval. */
  approved_content?: Content;
  /** A change that nobody sees before it is approved. */
  proposed_content?: Content;
  /** The word rules flagged the content that was sent last. */
  is_flagged?: boolean;
}

/** `advertisements`: house ads. */
export interface AdvertisementRow extends CountedRow {
  _id: string;
  title: string;
  description: string;
  image_url: string | null;
  target_url: string;
  placement: Placement;
  /** 1 to 10, the highest first. */
  priority: number;
  active: boolean;
  created_at: Date;
  expires_at: Date | null;
  /** What it can be found by: see `api/admin/search.ts`. */
  words: string[];
  /** How often it was edited; left out before the first time. */
  version?: number;
}

/** `advertisement_bookings`: paid ads. Their status is never stored: `bookingStatus` tells it. */
export interface BookingRow
  extends CountedRow, BookingTimes, ModeratedRow, TimedContent, ReviewedRow<TimedContent> {
  /** From an atomic counter. */
  _id: number;
  advertiser_id: string;
  image_filename: string | null;
  placement: Placement;
  duration_hours: number;
  cost_cents: number;
  created_at: Date;
  /** The request that made it, so that one that is sent again makes no other. Unique. */
  request?: string;
  /** The payment that may be charged right now: meanwhile nothing is changed. */
  paying?: string | null;
  /** Of what was told its advertiser by letter. */
  notified?: string[];
  /** Why an admin gave the money back when its time was over. */
  refund_reason?: string;
}

/** `business_listings`: businesses that pay to be seen near them. Their status is never stored: `listingStatus` tells it. */
export interface ListingRow
  extends CountedRow, ListingTimes, ModeratedRow, ListingContent, ReviewedRow<ListingContent> {
  /** As `newListingId` makes it. */
  _id: string;
  advertiser_id: string;
  business_type: BusinessType;
  place: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  image_filename: string | null;
  search_radius_miles: number;
  monthly_cost_cents: number;
  /** The payments of its months, in their order, and those of them that were paid back. */
  paid: string[];
  refunded_payments: string[];
  /** The payments that an admin decided to give back, and that were not yet. */
  pending_refunds?: string[];
  /** For how long it was down, in milliseconds, by which its end is still to be moved. */
  downtime_ms?: number;
  /** By how much it was moved, of which its advertiser was not told yet. */
  extended_ms?: number;
  created_at: Date;
  notified?: string[];
}

/** Why an event is kept and not counted. */
export type Doubt =
  | 'automated'
  | 'too_fast'
  | 'duplicate'
  | 'not_seen'
  | 'not_running'
  | 'mismatch';

/** `ad_impressions`: an ad was half visible for a second. Kept for some weeks. */
export interface ImpressionRow {
  /** The view's id, so that a view is counted once. */
  _id: string;
  ad_id: AdId;
  /** Who looked, for the length of a day: see visitors.ts. */
  who: string;
  at: Date;
  doubt: Doubt | null;
}

/** `ad_clicks`. Those that count are kept, the others for some weeks. */
export interface ClickRow {
  _id: string;
  ad_id: AdId;
  /** As the ad had it, not as the click said. */
  ad_title: string;
  ad_url: string;
  user_id: string | null;
  /** As in impressions. */
  who: string;
  clicked_at: Date;
  doubt: Doubt | null;
  /** On what counts only, and unique: person, ad and half hour. */
  once?: string;
}

/** `ad_days`: a day's salt, gone with the day. */
export interface DayRow {
  /** The UTC date. */
  _id: string;
  salt: string;
}

/** `ad_counting`, one row: events up to `from` are in the ads' counts, those up to `to` are being added. */
export interface CountingRow {
  _id: 'ads';
  from: Date;
  to: Date;
}

/** `counters`: the last number that was given. */
export interface CounterRow {
  _id: 'advertisement_bookings';
  value: number;
}

export const PAID = { payment_status: 'completed' as const };
export const isSet = { $type: 'date' as const };

/** Why a timed ad is cancelled; there is an index of those alone. */
export const CANCELLED = {
  $or: [
    { cancelled_at: isSet },
    { payment_status: 'refunded' as const },
    { ...PAID, taken_down_at: isSet },
    // Once its start has passed without an approval.
    { ...PAID, pending_approval: true as const },
  ],
};

/** What a timed ad is whose time alone says the rest; there is an index of those alone. */
export const RUNNING = { ...PAID, cancelled_at: null, taken_down_at: null };

/** Why a listing is paused; there is an index of those alone. */
export const PAUSED = {
  $or: [{ paused_at: isSet }, { taken_down_at: isSet }, { pending_approval: true as const }],
};

/** An ad, or a change of one, that waits for a review; there is an index of those alone. */
export const REVIEW_WAITING = { 'review.state': 'waiting' as const };

export const advertisements = (db: Db) => db.collection<AdvertisementRow>('advertisements');
export const advertisementBookings = (db: Db) =>
  db.collection<BookingRow>('advertisement_bookings');
export const businessListings = (db: Db) => db.collection<ListingRow>('business_listings');
export const adImpressions = (db: Db) => db.collection<ImpressionRow>('ad_impressions');
export const adClicks = (db: Db) => db.collection<ClickRow>('ad_clicks');
export const adCounting = (db: Db) => db.collection<CountingRow>('ad_counting');
export const adDays = (db: Db) => db.collection<DayRow>('ad_days');
export const counters = (db: Db) => db.collection<CounterRow>('counters');

export const adIndexes: Indexes = {
  advertisements: [
    { key: { placement: 1, active: 1, priority: -1 } },
    { key: { words: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { title: 1, _id: 1 } },
    { key: { priority: -1, _id: -1 } },
    { key: { active: 1, created_at: -1, _id: -1 } },
    { key: { placement: 1, created_at: -1, _id: -1 } },
    { key: { image_url: 1 } },
  ],
  advertisement_bookings: [
    { key: { placement: 1, payment_status: 1, scheduled_end_at: 1 } },
    { key: { payment_status: 1, scheduled_end_at: 1 } },
    // Each status of the panel's list, newest first: see ads/status-filters.ts.
    { key: { payment_status: 1, created_at: -1, _id: -1 } },
    {
      name: 'cancelled-or-pending',
      key: { created_at: -1, _id: -1 },
      partialFilterExpression: CANCELLED,
    },
    {
      name: 'scheduled',
      key: { scheduled_start_at: 1, created_at: -1, _id: -1 },
      partialFilterExpression: RUNNING,
    },
    { key: { advertiser_id: 1 } },
    { key: { request: 1 }, unique: true, partialFilterExpression: { request: { $exists: true } } },
    { key: { created_at: -1, _id: -1 } },
    { key: { scheduled_start_at: 1, _id: 1 } },
    { key: { paying: 1 }, partialFilterExpression: { paying: { $type: 'string' } } },
    { key: { unnotified_action: 1 }, sparse: true },
    { key: { image_key: 1 }, sparse: true },
    { key: { 'review.due_at': 1, _id: 1 }, partialFilterExpression: REVIEW_WAITING },
    { key: { 'review.is_email_due': 1 }, sparse: true },
    { key: { pending_approval: 1 }, sparse: true },
  ],
  business_listings: [
    { key: { place: '2dsphere', payment_status: 1, subscription_end_date: 1 } },
    { key: { payment_status: 1, subscription_end_date: 1 } },
    // As for the bookings.
    { key: { payment_status: 1, created_at: -1, _id: -1, subscription_end_date: 1 } },
    {
      name: 'paused-or-pending',
      key: { created_at: -1, _id: -1, subscription_end_date: 1 },
      partialFilterExpression: PAUSED,
    },
    { key: { created_at: -1, _id: -1 } },
    { key: { advertiser_id: 1 } },
    { key: { unnotified_action: 1 }, sparse: true },
    { key: { 'pending_refunds.0': 1 }, sparse: true },
    { key: { image_key: 1 }, sparse: true },
    { key: { 'review.due_at': 1, _id: 1 }, partialFilterExpression: REVIEW_WAITING },
    { key: { 'review.is_email_due': 1 }, sparse: true },
    { key: { pending_approval: 1 }, sparse: true },
  ],
  ad_impressions: [{ key: { at: 1 } }, { key: { who: 1, at: -1 } }],
  ad_clicks: [
    { key: { clicked_at: -1 } },
    { key: { who: 1, clicked_at: -1 } },
    { key: { user_id: 1, clicked_at: -1 } },
    { key: { clicked_at: 1 }, partialFilterExpression: { doubt: { $type: 'string' } } },
    {
      name: 'of_somebody',
      key: { clicked_at: 1 },
      partialFilterExpression: { user_id: { $type: 'string' } },
    },
    { key: { once: 1 }, unique: true, partialFilterExpression: { once: { $exists: true } } },
  ],
};
