import { z } from 'zod';

/** When ads are reviewed: after they went live, or before anybody sees them. The operator chooses with `AD_REVIEW`. */
export const reviewMode = z.enum(['after', 'before']);
export type ReviewMode = z.infer<typeof reviewMode>;

/** `not_reviewed`: nobody decided in time, so the ad did not run. */
const reviewState = z.enum(['waiting', 'approved', 'refused', 'not_reviewed']);
export type ReviewState = z.infer<typeof reviewState>;

/** How the review of an ad stands, for its advertiser; null when there is none. */
export const adReview = z
  .object({
    /** The ad as it was paid for, or its last change. */
    of: z.enum(['ad', 'change']),
    state: reviewState,
    /** Why it was refused. */
    reason: z.string().nullable(),
    /** Nobody sees the ad, or the change, before it is approved. */
    is_pending_approval: z.boolean(),
  })
  .nullable();
