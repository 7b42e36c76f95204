import type { Document, Db } from 'mongodb';
import { REVIEW_REFUSALS } from '#shared/advertisers/review-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { forEachIsolated, runIsolated } from '../../../platform/for-each-isolated.ts';
import type { Services } from '../../../platform/services.ts';
import type { Caller } from '../../../platform/session-cache.ts';
import { users } from '../../../platform/session/collections.ts';
import { REVIEW_WAITING, advertisementBookings, businessListings } from '../../ads/collections.ts';
import type { AdId, AdReviewRow } from '../../ads/collections.ts';
import { adRows, findAd, isRefunded, isTimed, type PaidAd } from '../ads.ts';
import { advertisers } from '../collections.ts';
import type { AdvertiserEmails } from '../emails.ts';
import type { Purchases } from '../purchases.ts';
import type { Slots } from '../slots.ts';
import { reviewEmail } from './review-emails.ts';
import {
  approval,
  changedContent,
  contentOf,
  missedReview,
  refusal,
  type AdContent,
  type RowChange,
} from './review-state.ts';

const TRIES = 5;

/** Paid ads that wait for a review and are neither canceled nor taken down. */
export const IN_QUEUE = {
  ...REVIEW_WAITING,
  payment_status: 'completed' as const,
  cancelled_at: null,
  taken_down_at: null,
};

export type ReviewDecision =
  | { decision: 'approve'; version: number }
  | { decision: 'refuse'; version: number; reason: string };

/** Reviews of paid ads and of their changes (decision 160). */
export interface Reviews {
  /**
   * Changes the content of an ad: at once, or after a review, depending on `AD_REVIEW`.
   * @param isFlagged whether the word rules flagged the content
   * @param read returns the ad, or null if it may not be changed
   * @returns the changed ad; null when it may not be changed
   */
  change(
    read: () => Promise<PaidAd | null>,
    content: AdContent,
    isFlagged: boolean,
  ): Promise<PaidAd | null>;
  /** @throws HttpError 404; 409 when another admin decided, or the ad was changed, since this version */
  decide(caller: Caller, id: AdId, decision: ReviewDecision): Promise<void>;
  /** Refunds ads that were not reviewed in time, and sends emails that a crash left unsent. */
  runJob(): Promise<void>;
}

interface Parts {
  emails: AdvertiserEmails;
  slots: Slots;
  purchases: Purchases | null;
  now?: () => Date;
}

/** Each decision is one atomic update of the ad's row; the background job repeats what follows from it until it is done. */
export function adReviews(
  services: Pick<Services, 'audit' | 'db' | 'env'>,
  { emails, slots, purchases, now = () => new Date() }: Parts,
): Reviews {
  const { db, env } = services;

  /** A decision. It counts as an edit of the ad by an admin, too. */
  const decideOn = (ad: PaidAd, filter: Document, { set, compute, unset = [] }: RowChange) =>
    update(
      db,
      ad,
      { ...IN_QUEUE, 'review.version': ad.review?.version, ...filter },
      {
        set,
        compute: { ...compute, version: { $add: [{ $ifNull: ['$version', 0] }, 1] } },
        unset,
      },
    );

  /** Emails the advertiser about the decision, once however often it runs. */
  async function sendEmail(ad: PaidAd): Promise<void> {
    const { review } = ad;
    if (!review?.is_email_due) return;
    const advertiser = await advertisers(db).findOne({ _id: ad.advertiser_id });
    const email = reviewEmail(ad, review, { zone: advertiser?.time_zone ?? 'UTC', now: now() });
    await emails.send(`review ${review.version} ${ad._id}`, advertiser, email);
    await update(
      db,
      ad,
      { 'review.version': review.version },
      { set: {}, unset: ['review.is_email_due'] },
    );
  }

  async function finish(ad: PaidAd): Promise<void> {
    if (isTimed(ad) && ad.cancelled_at) await slots.release(ad._id);
    await sendEmail(ad);
    // The background job does whatever the gateway does not do now.
    if (isRefunded(ad)) await purchases?.payBack(ad);
  }

  async function miss(ad: PaidAd): Promise<void> {
    if (!ad.review) return;
    const paid = isTimed(ad) ? {} : { paid: ad.paid };
    const missed = await decideOn(
      ad,
      { pending_approval: true, ...paid },
      missedReview(ad, ad.review, now()),
    );
    if (missed) await finish(missed);
  }

  const hasMissedStart = (ad: PaidAd) =>
    ad.pending_approval === true && isTimed(ad) && ad.scheduled_start_at <= now();

  async function read(id: AdId): Promise<PaidAd & { review: AdReviewRow }> {
    const ad = await findAd(db, id);
    if (!ad?.review) throw new HttpError(404, 'Advertisement not found');
    return { ...ad, review: ad.review };
  }

  return {
    async change(readAd, content, is_flagged) {
      for (let tries = 0; tries < TRIES; tries++) {
        const ad = await readAd();
        if (!ad) return null;
        await sendEmail(ad);
        const isPaid = ad.payment_status === 'completed';
        const changed = isPaid
          ? changedContent(ad, content, { mode: env.AD_REVIEW, at: now() })
          : { set: content };
        if (!changed) return ad;
        const same = {
          payment_status: ad.payment_status,
          'review.version': ad.review?.version ?? null,
          cancelled_at: isTimed(ad) ? ad.cancelled_at : null,
          pending_approval: ad.pending_approval ?? null,
        };
        const set = { ...changed.set, is_flagged };
        const row = await update(db, ad, same, { ...changed, set });
        if (row) return row;
      }
      throw new HttpError(409, 'This ad is being changed. Try again.');
    },

    async decide(caller, id, body) {
      const isApproval = body.decision === 'approve';
      const state = isApproval ? 'approved' : 'refused';
      const by = caller.user._id;
      const seen = await read(id);
      if (hasMissedStart(seen)) await miss(seen);
      const ad = await read(id);
      const { review } = ad;
      // The same decision again, because its response was lost.
      if (review.decided_by === by && review.state === state && review.version === body.version + 1)
        return finish(ad);
      if (review.version !== body.version || review.state !== 'waiting')
        throw await conflict(db, ad);
      const at = now();
      const change = isApproval
        ? approval(ad, review, { by, at })
        : refusal(ad, review, { by, at, reason: body.reason });
      // Fails if the start passes meanwhile (too late to approve), or another month is paid (to be refunded, too).
      const onTime = ad.pending_approval && { scheduled_start_at: { $gt: at } };
      const same = {
        pending_approval: ad.pending_approval ?? null,
        ...(isTimed(ad) ? onTime : { paid: ad.paid }),
      };
      const entry = {
        caller,
        act: `${isTimed(ad) ? 'advertiser-ad' : 'business-listing'}.${body.decision}` as const,
        subject_id: String(id),
        before: { ...ad.approved_content, review: review.state },
        after: { ...(ad.proposed_content ?? contentOf(ad)), review: state },
        reason: isApproval ? null : body.reason,
      };
      const after = await services.audit(entry, async () => {
        const row = await decideOn(ad, same, change);
        if (!row) throw await conflict(db, await read(id));
        return row;
      });
      await finish(after);
    },

    async runJob() {
      const at = now();
      const pending = { ...IN_QUEUE, pending_approval: true as const };
      const missedAds = { ...pending, scheduled_start_at: { $lte: at } };
      const missedListings = { ...pending, 'review.due_at': { $lte: at } };
      const unsent = { 'review.is_email_due': true as const };
      const steps = [
        () => forEachIsolated(advertisementBookings(db).find(missedAds), miss),
        () => forEachIsolated(businessListings(db).find(missedListings), miss),
        () => forEachIsolated(advertisementBookings(db).find(unsent), sendEmail),
        () => forEachIsolated(businessListings(db).find(unsent), sendEmail),
      ];
      await runIsolated(steps);
    },
  };
}

const decidedAlready = (message: string): HttpError =>
  new HttpError(409, message, { code: REVIEW_REFUSALS.decided });

/** @returns the updated ad; null when it does not match the filter anymore */
async function update(
  db: Db,
  ad: PaidAd,
  filter: Document,
  change: RowChange,
): Promise<PaidAd | null> {
  const { set, compute = {}, unset = [] } = change;
  const literals = Object.entries(set).map(([field, value]) => [field, { $literal: value }]);
  const pipeline = [
    { $set: { ...Object.fromEntries(literals), ...compute } },
    ...(unset.length > 0 ? [{ $unset: unset }] : []),
  ];
  const row = await adRows(db, ad._id).findOneAndUpdate({ _id: ad._id, ...filter }, pipeline, {
    returnDocument: 'after',
  });
  return row as PaidAd | null;
}

/** Why a decision came too late. */
async function conflict(db: Db, { review }: PaidAd): Promise<HttpError> {
  if (review?.state === 'not_reviewed')
    return decidedAlready('No one decided before its start, so it won’t run and is refunded');
  if (!review?.decided_by || review.state === 'waiting')
    return new HttpError(409, 'The advertiser changed or canceled this ad. Check it again.', {
      code: REVIEW_REFUSALS.changed,
    });
  const other = await users(db).findOne({ _id: review.decided_by }, { projection: { email: 1 } });
  const decision = review.state === 'approved' ? 'approved' : 'refused';
  const why = review.reason ? `: ${review.reason}` : '';
  return decidedAlready(`${other?.email ?? 'Another admin'} already ${decision} this${why}`);
}
