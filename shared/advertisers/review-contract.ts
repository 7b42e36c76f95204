import { z } from 'zod';
import { version } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';
import { adminListing, adminTimedAd } from './admin-contract.ts';
import { adReason } from './reasons.ts';

/** The queue shows so many at a time, the most urgent first. */
export const REVIEWS_SHOWN = 20;

/** Codes of 409: another admin decided already; the advertiser changed or withdrew what was to be decided. */
export const REVIEW_REFUSALS = { decided: 'review_decided', changed: 'review_changed' } as const;

/** What people see of an ad, in one version of it. */
const timedContent = z.object({
  title: z.string(),
  description: z.string(),
  target_url: z.string(),
  image_url: z.string().nullable(),
});
const listingContent = z.object({
  business_name: z.string(),
  description: z.string(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  website_url: z.string().nullable(),
  image_url: z.string().nullable(),
});

const common = {
  /** States what was seen: of the review, not of the ad. */
  version,
  email: z.string().nullable(),
  submitted_at: z.iso.datetime(),
  /** From then on people see it, or, if it is held, it is refunded. */
  due_at: z.iso.datetime(),
  /** Nobody sees it before it is approved. */
  is_pending_approval: z.boolean(),
  /** The word rules flagged its words. */
  is_flagged: z.boolean(),
  /** What goes back to the card if it is refused; null where a refusal refunds nothing. */
  refund_cents: z.number().int().nullable(),
};

/** An ad that waits for its review; `before` is the approved version of one that was changed. */
const reviewItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('timed'),
    ...common,
    ad: adminTimedAd,
    before: timedContent.nullable(),
    after: timedContent,
  }),
  z.object({
    kind: z.literal('listing'),
    ...common,
    ad: adminListing,
    before: listingContent.nullable(),
    after: listingContent,
  }),
]);
export type ReviewItem = z.infer<typeof reviewItem>;

/** The ads, and changes of ads, that wait for a review, and how many there are. */
export const listAdReviews = endpoint({
  method: 'GET',
  path: '/admin/ad-reviews',
  access: 'admin',
  answer: z.object({ items: z.array(reviewItem), total: z.number().int() }),
  failure: 'Failed to load the review queue',
});

const id = z.object({ id: z.string().min(1).max(64) });
const failure = 'Failed to save your decision';

/** Approves what was seen. */
export const approveAdReview = endpoint({
  method: 'POST',
  path: '/admin/ad-reviews/:id/approve',
  access: 'admin',
  params: id,
  body: z.object({ version }),
  answer: z.object({}),
  failure,
});

/** Refuses what was seen: an ad stops and is refunded, of a changed one the approved version stays. */
export const refuseAdReview = endpoint({
  method: 'POST',
  path: '/admin/ad-reviews/:id/refuse',
  access: 'admin',
  requiresRecentSignIn: true,
  params: id,
  body: z.object({ version, reason: adReason }),
  answer: z.object({}),
  failure,
});
