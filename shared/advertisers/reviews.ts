import { z } from 'zod';

/** Whether ads are reviewed after or before they go live: set by `AD_REVIEW`. */
export const reviewMode = z.enum(['after', 'before']);
export type ReviewMode = z.infer<typeof reviewMode>;

/** `not_reviewed`: no admin decided in time, so the ad did not run. */
const reviewState = z.enum(['waiting', 'approved', 'refused', 'not_reviewed']);
export type ReviewState = z.infer<typeof reviewState>;

/** The review of an ad, for its advertiser; null without one. */
export const adReview = z
  .object({
    /** The ad as paid, or its last change. */
    of: z.enum(['ad', 'change']),
    state: reviewState,
    /** Why it was rejected. */
    reason: z.string().nullable(),
    /** The ad or change is not shown before it is approved. */
    is_pending_approval: z.boolean(),
  })
  .nullable();
