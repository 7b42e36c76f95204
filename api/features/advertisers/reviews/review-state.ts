import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import type { ReviewMode } from '#shared/advertisers/reviews.ts';
import { LISTING_REVIEW_DAYS } from '#shared/advertisers/rules.ts';
import { canTakeDown } from '#shared/advertisers/take-downs.ts';
import { DAY_MS } from '#shared/time.ts';
import type { AdReviewRow, ListingContent, TimedContent } from '../../ads/collections.ts';
import { isTimed, monthsLeft, type PaidAd } from '../ads.ts';

export type AdContent = TimedContent | ListingContent;

/** One change of an ad's row. */
export interface RowChange {
  set: Document;
  /** Values that the database computes. */
  compute?: Document;
  unset?: string[];
}

interface Submission {
  mode: ReviewMode;
  at: Date;
}

interface Decision {
  /** The admin's user id; null when no admin decided in time. */
  by: string | null;
  at: Date;
}

/** The content of an ad that people see. */
export const contentOf = (ad: PaidAd): AdContent =>
  isTimed(ad)
    ? {
        title: ad.title,
        description: ad.description,
        target_url: ad.target_url,
        image_key: ad.image_key,
      }
    : {
        business_name: ad.business_name,
        description: ad.description,
        address: ad.address,
        phone: ad.phone,
        website_url: ad.website_url,
        image_key: ad.image_key,
      };

/** When people start to see an ad; for one that is pending approval, when it is refunded. */
function dueAt(start: Date | null, at: Date, isPendingApproval: boolean): Date {
  if (start) return start > at ? start : at;
  return isPendingApproval ? new Date(at.getTime() + LISTING_REVIEW_DAYS * DAY_MS) : at;
}

/** @returns the fields that a row gets with its first payment. @param start of a timed ad; null for a listing */
export function firstReview(
  start: Date | null,
  { mode, at }: Submission,
): { review: AdReviewRow; pending_approval?: true } {
  const isPendingApproval = mode === 'before';
  return {
    review: {
      of: 'ad',
      state: 'waiting',
      version: 1,
      submitted_at: at,
      due_at: dueAt(start, at, isPendingApproval),
      decided_at: null,
      decided_by: null,
      reason: null,
    },
    ...(isPendingApproval && { pending_approval: true }),
  };
}

/** @returns the change of a paid ad's row for new content by its advertiser; null when nothing changes */
export function changedContent(
  ad: PaidAd,
  content: AdContent,
  { mode, at }: Submission,
): RowChange | null {
  const shown = contentOf(ad);
  if (isDeepStrictEqual(ad.proposed_content ?? shown, content)) return null;
  // Content without a review counts as approved.
  const approved = ad.approved_content ?? (ad.review ? null : shown);
  const isApproved = isDeepStrictEqual(approved, content);
  const mayBeShown = mode === 'after' || ad.pending_approval || isApproved;
  const isProposed = !mayBeShown && !isDeepStrictEqual(shown, content);
  const start = isTimed(ad) ? ad.scheduled_start_at : null;
  const review: AdReviewRow = {
    of: approved ? 'change' : 'ad',
    state: isApproved ? 'approved' : 'waiting',
    version: (ad.review?.version ?? 0) + 1,
    submitted_at: at,
    // A change does not extend the time for the approval.
    due_at: ad.pending_approval && ad.review ? ad.review.due_at : dueAt(start, at, false),
    decided_at: null,
    decided_by: null,
    reason: null,
  };
  return {
    set: {
      review,
      ...(approved && { approved_content: approved }),
      ...(isProposed ? { proposed_content: content } : content),
    },
    unset: isProposed ? [] : ['proposed_content'],
  };
}

function decided(
  review: AdReviewRow,
  state: AdReviewRow['state'],
  { by, at, reason = null }: Decision & { reason?: string | null },
): AdReviewRow {
  return {
    ...review,
    state,
    version: review.version + 1,
    decided_at: at,
    decided_by: by,
    reason,
    is_email_due: true,
  };
}

/** @returns the change by an approval. The month of a listing that was pending approval begins with it. */
export function approval(ad: PaidAd, review: AdReviewRow, decision: Decision): RowChange {
  const content = ad.proposed_content ?? contentOf(ad);
  const waited = { $subtract: [decision.at, '$subscription_start_date'] };
  return {
    set: {
      ...content,
      approved_content: content,
      review: decided(review, 'approved', decision),
    },
    ...(ad.pending_approval &&
      !isTimed(ad) && {
        compute: {
          subscription_start_date: decision.at,
          subscription_end_date: { $add: ['$subscription_end_date', waited] },
        },
      }),
    unset: ['proposed_content', 'pending_approval'],
  };
}

/** Whether a refusal stops and refunds the ad: no version of it was approved, and its time is not over. */
export const refusalRefunds = (ad: PaidAd, now: Date): boolean =>
  !ad.approved_content && canTakeDown(ad, now);

/** @returns the change by a refusal: the approved version stays, or the ad stops and is refunded */
export function refusal(
  ad: PaidAd,
  review: AdReviewRow,
  { reason, ...decision }: Decision & { reason: string },
): RowChange {
  const { at } = decision;
  const next = decided(review, 'refused', { ...decision, reason });
  if (ad.approved_content)
    return { set: { ...ad.approved_content, review: next }, unset: ['proposed_content'] };
  const down = { taken_down_at: at, taken_down_reason: reason };
  const money = isTimed(ad) ? { cancelled_at: at } : { pending_refunds: monthsLeft(ad, at) };
  return {
    set: { review: next, ...(refusalRefunds(ad, at) && { ...down, ...money }) },
    unset: ['proposed_content'],
  };
}

/** @returns the change of an ad that was not reviewed in time: it does not run and is refunded */
export function missedReview(ad: PaidAd, review: AdReviewRow, at: Date): RowChange {
  const next = decided(review, 'not_reviewed', { by: null, at });
  return {
    set: {
      review: next,
      ...(isTimed(ad)
        ? { cancelled_at: at }
        : {
            pending_refunds: ad.paid.filter((payment) => !ad.refunded_payments.includes(payment)),
          }),
    },
  };
}
