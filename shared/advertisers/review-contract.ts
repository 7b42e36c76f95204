import { z } from 'zod';
import { version } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { adminListing, adminTimedAd } from './admin-contract.ts';
import { adReason } from './reasons.ts';

/** Number of ads in the queue response, the most urgent first. */
export const REVIEWS_SHOWN = 20;

/** Codes of 409: another admin decided already; the advertiser changed or canceled the ad. */
export const REVIEW_REFUSALS = { decided: 'review_decided', changed: 'review_changed' } as const;

/** The content of one version of an ad. */
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
  /** Of the review, not of the ad. */
  version,
  email: z.string().nullable(),
  submitted_at: z.iso.datetime(),
  /** When people start to see it, or, if it is pending approval, when it is refunded. */
  due_at: z.iso.datetime(),
  /** It is not shown before it is approved. */
  is_pending_approval: z.boolean(),
  /** Moderation rules flagged its texts. */
  is_flagged: z.boolean(),
  /** The refund if it is refused; null without a refund. */
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

/** The ads and changes that wait for a review, and their number. */
export const listAdReviews = endpoint('GET', '/admin/ad-reviews', {
  access: 'admin',
  answer: z.object({ items: z.array(reviewItem), total: z.number().int() }),
  failure: 'Failed to load the review queue',
});

const failure = 'Failed to save your decision';

/** Approves a version of an ad. */
export const approveAdReview = endpoint('POST', '/admin/ad-reviews/:id/approve', {
  access: 'admin',
  params: idParams,
  body: z.object({ version }),
  failure,
});

/** Refuses a version of an ad: the ad stops and is refunded, or its approved version stays. */
export const refuseAdReview = endpoint('POST', '/admin/ad-reviews/:id/refuse', {
  access: 'admin',
  requiresRecentSignIn: true,
  params: idParams,
  body: z.object({ version, reason: adReason }),
  failure,
});
