import type { Db } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import type { BookingTimes, ListingTimes } from '#shared/ads/rules.ts';
import type { BusinessType } from '#shared/advertisers/business-types.ts';
import type { ReviewState } from '#shared/advertisers/reviews.ts';
import type { TakenDownAd } from '#shared/advertisers/take-downs.ts';
import type { Indexes } from '../../platform/database.ts';

/** Ids of house ads are strings, those of timed ads numbers, and those of listings strings with the prefix `LISTING`. */
export type AdId = string | number;

const LISTING = 'listing-';
/** A listing's id, which no house ad can have. */
export const newListingId = (id: string): string => `${LISTING}${id}`;

export const isListingId = (id: AdId): id is string =>
  typeof id === 'string' && id.startsWith(LISTING);
/** Matches ids of house ads. */
export const HOUSE_ID = { $type: 'string' as const, $not: new RegExp(`^${LISTING}`) };

/** Views and clicks of an ad that were added up; newer ones are in its events (see ad-counters.ts). */
export interface CountedRow {
  impressions: number;
  clicks: number;
  counted_until: Date;
  /** What a day in UTC had, such as 2026-11-28; of paid ads only. Older days are removed. */
  days?: Record<string, DayCounts>;
}

/** Left out: none. */
export interface DayCounts {
  impressions?: number;
  clicks?: number;
}

/** Fields of paid ads that admins change. */
export interface ModeratedRow extends TakenDownAd {
  /** How often admins changed it; absent before the first change. */
  version?: number;
  /** The last action that its advertiser was not notified about. */
  unnotified_action?: 'take-down' | 'put-back' | 'refund';
  last_notice?: LastNotice;
}

/**
 * The last action of which the advertiser was notified, and what they know: null if the ad is shown, otherwise why it
 * is not.
 */
export interface LastNotice {
  /** The version of the ad. */
  version: number;
  /** The cause of the email; null without one. */
  cause: string | null;
  /** Until the email is sent. */
  before: string | null;
  after: string | null;
}

/** The reviewed content of a timed ad. */
export interface TimedContent {
  title: string;
  description: string;
  /** A key of /api/public-files. */
  image_key: string | null;
  target_url: string;
}

/** The reviewed content of a business listing. */
export interface ListingContent {
  business_name: string;
  description: string;
  address: string | null;
  phone: string | null;
  website_url: string | null;
  /** A key of /api/public-files. */
  image_key: string | null;
}

/** The review of a paid ad, or of the last change of one that was approved before (decision 160). */
export interface AdReviewRow {
  of: 'ad' | 'change';
  state: ReviewState;
  /** Grows with each submission and each decision. */
  version: number;
  submitted_at: Date;
  /** Orders the queue: when people start to see it, or it is refunded. */
  due_at: Date;
  decided_at: Date | null;
  /** The admin's user id. */
  decided_by: string | null;
  /** Why it was rejected. */
  reason: string | null;
  /** The advertiser was not yet emailed about the decision. */
  is_email_due?: true;
}

/** The review of an ad. The row itself has the content that people see, or will see. */
export interface ReviewedRow<Content> {
  /** Absent until it is paid. */
  review?: AdReviewRow;
  /** The last approved content; absent before the first approval. */
  approved_content?: Content;
  /** A change that is pending approval. */
  proposed_content?: Content;
  /** Moderation rules flagged the latest content. */
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
  /** Search words: see `api/platform/admin/search.ts`. */
  words: string[];
  /** How often it was edited; absent before the first edit. */
  version?: number;
}

/** `advertisement_bookings`: paid ads. Their status is not stored: see `bookingStatus`. */
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
  /** The request that created it, so that a repeated request creates no other one. Unique. */
  request?: string;
  /** The payment that may be charged now; it locks the ad. */
  paying?: string | null;
  /** The lifecycle emails that were sent. */
  notified?: string[];
  /** Why an admin refunded it after its time was over. */
  refund_reason?: string;
}

/** `business_listings`: businesses that pay to be seen near them. Their status is not stored: see `listingStatus`. */
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
  /** The payments of its months in order, and the refunded ones of them. */
  paid: string[];
  refunded_payments: string[];
  /** The payments to be refunded. */
  pending_refunds?: string[];
  /** How long it was taken down, in milliseconds, if it was not extended by that yet. */
  downtime_ms?: number;
  /** How much it was extended, in milliseconds, if its advertiser was not notified yet. */
  extended_ms?: number;
  created_at: Date;
  notified?: string[];
}

/** Why an event is stored but not counted. */
export type Doubt =
  | 'automated'
  | 'too_fast'
  | 'duplicate'
  | 'not_seen'
  | 'not_running'
  | 'mismatch';

/** `ad_impressions`: an ad was half visible for a second. Deleted after some weeks. */
export interface ImpressionRow {
  /** The view id, so that each view counts once. */
  _id: string;
  ad_id: AdId;
  /** The visitor of the day: see visitor-hash.ts. */
  who: string;
  at: Date;
  doubt: Doubt | null;
}

/** `ad_clicks`. Those that do not count are deleted after some weeks. */
export interface ClickRow {
  _id: string;
  ad_id: AdId;
  /** The ad's title, not the one in the request. */
  ad_title: string;
  ad_url: string;
  user_id: string | null;
  /** As in impressions. */
  who: string;
  clicked_at: Date;
  doubt: Doubt | null;
  /** Only on counted clicks; unique for person, ad and half hour. */
  once?: string;
}

/** `ad_days`: the salt of a day, deleted after the day. */
export interface DayRow {
  /** The UTC date. */
  _id: string;
  salt: string;
}

/** `ad_view_hours`: the counted views of each placement in an hour that is over; deleted after thirty days. */
export interface ViewHourRow extends Record<Placement, number> {
  /** The hour as an ISO time. */
  _id: string;
  hour: Date;
}

/** `ad_counting`, one row: events up to `from` are in the ads' counts, those up to `to` are being added. */
export interface CountingRow {
  _id: 'ads';
  from: Date;
  to: Date;
}

/** `counters`: the last assigned numbers. */
export interface CounterRow {
  _id: 'advertisement_bookings';
  value: number;
}

export const PAID = { payment_status: 'completed' as const };
export const isSet = { $type: 'date' as const };

/** Matches canceled timed ads; the filter of a partial index. */
export const CANCELLED = {
  $or: [
    { cancelled_at: isSet },
    { payment_status: 'refunded' as const },
    { ...PAID, taken_down_at: isSet },
    // Once its start has passed without an approval.
    { ...PAID, pending_approval: true as const },
  ],
};

/** Matches timed ads whose status depends on the time alone; the filter of a partial index. */
export const RUNNING = { ...PAID, cancelled_at: null, taken_down_at: null };

/** Matches paused listings; the filter of a partial index. */
export const PAUSED = {
  $or: [{ paused_at: isSet }, { taken_down_at: isSet }, { pending_approval: true as const }],
};

/** Matches ads that wait for a review; the filter of a partial index. */
export const REVIEW_WAITING = { 'review.state': 'waiting' as const };

export const advertisements = (db: Db) => db.collection<AdvertisementRow>('advertisements');
export const advertisementBookings = (db: Db) =>
  db.collection<BookingRow>('advertisement_bookings');
export const businessListings = (db: Db) => db.collection<ListingRow>('business_listings');
export const adImpressions = (db: Db) => db.collection<ImpressionRow>('ad_impressions');
export const adClicks = (db: Db) => db.collection<ClickRow>('ad_clicks');
export const adCounting = (db: Db) => db.collection<CountingRow>('ad_counting');
export const viewHours = (db: Db) => db.collection<ViewHourRow>('ad_view_hours');
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
    { key: { 'review.submitted_at': 1 }, partialFilterExpression: REVIEW_WAITING },
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
    { key: { 'review.submitted_at': 1 }, partialFilterExpression: REVIEW_WAITING },
    { key: { 'review.is_email_due': 1 }, sparse: true },
    { key: { pending_approval: 1 }, sparse: true },
  ],
  ad_view_hours: [{ key: { hour: 1 } }],
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
