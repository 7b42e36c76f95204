import {
  approveAdReview,
  listAdReviews,
  refuseAdReview,
  REVIEWS_SHOWN,
  type ReviewItem,
} from '#shared/advertisers/review-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { pictureUrl } from '../../../platform/files/public-owner.ts';
import { serve } from '../../../platform/http/mount-endpoint.ts';
import type { Api } from '../../../platform/services.ts';
import {
  isListingId,
  type AdId,
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../../ads/collections.ts';
import { isTimed, monthsLeft, type PaidAd } from '../ads.ts';
import { advertisers } from '../collections.ts';
import { presentAds } from '../serialize.ts';
import { contentOf, refusalRefunds, type AdContent } from './review-state.ts';
import { IN_QUEUE, type Reviews } from './reviews.ts';

/** The queue in which admins approve and refuse paid ads. */
export function mountReviews(api: Api, reviews: Reviews): void {
  const { db } = api.services;
  const present = presentAds(db);

  serve(api, listAdReviews, async () => {
    const now = new Date();
    const urgent = { sort: { 'review.due_at': 1, _id: 1 }, limit: REVIEWS_SHOWN } as const;
    const [ads, listings, ...counts] = await Promise.all([
      advertisementBookings(db).find(IN_QUEUE, urgent).toArray(),
      businessListings(db).find(IN_QUEUE, urgent).toArray(),
      advertisementBookings(db).countDocuments(IN_QUEUE),
      businessListings(db).countDocuments(IN_QUEUE),
    ]);
    const shown = [...ads, ...listings]
      .toSorted((a, b) => dueOf(a) - dueOf(b))
      .slice(0, REVIEWS_SHOWN);
    return { items: await presentItems(shown, now), total: counts[0] + counts[1] };
  });

  serve(api, approveAdReview, async ({ params, body, caller }) => {
    await reviews.decide(caller, adIdOf(params.id), { decision: 'approve', ...body });
    return {};
  });

  serve(api, refuseAdReview, async ({ params, body, caller }) => {
    await reviews.decide(caller, adIdOf(params.id), { decision: 'refuse', ...body });
    return {};
  });

  async function presentItems(rows: PaidAd[], now: Date): Promise<ReviewItem[]> {
    const owners = [...new Set(rows.map(({ advertiser_id }) => advertiser_id))];
    const [timed, listings, companies] = await Promise.all([
      present.timed(rows.filter(isTimed), now),
      present.listings(
        rows.filter((row): row is ListingRow => !isTimed(row)),
        now,
      ),
      advertisers(db)
        .find({ _id: { $in: owners } }, { projection: { email: 1 } })
        .toArray(),
    ]);
    const ads = new Map<AdId, unknown>([...timed, ...listings].map((ad) => [ad.id, ad]));
    const emails = new Map(companies.map(({ _id, email }) => [_id, email]));
    return rows.flatMap((row) => {
      const { review } = row;
      if (!review) return [];
      return {
        kind: isTimed(row) ? 'timed' : 'listing',
        version: review.version,
        email: emails.get(row.advertiser_id) ?? null,
        submitted_at: review.submitted_at.toISOString(),
        due_at: review.due_at.toISOString(),
        is_pending_approval: Boolean(row.pending_approval ?? row.proposed_content),
        is_flagged: row.is_flagged ?? false,
        refund_cents: refundOf(row, now),
        ad: ads.get(row._id),
        before: row.approved_content ? withPicture(row.approved_content) : null,
        after: withPicture(row.proposed_content ?? contentOf(row)),
      } as ReviewItem;
    });
  }
}

/** @throws HttpError 404 for an invalid id */
function adIdOf(text: string): AdId {
  const id = isListingId(text) ? text : Number(text);
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw new HttpError(404, 'Advertisement not found');
  return id;
}

const dueOf = ({ review }: BookingRow | ListingRow): number => review?.due_at.getTime() ?? 0;

const withPicture = <Content extends AdContent>({ image_key, ...content }: Content) => ({
  ...content,
  image_url: pictureUrl(image_key),
});

/** The refund if the ad is refused, in cents; null without a refund. */
function refundOf(ad: PaidAd, now: Date): number | null {
  if (!refusalRefunds(ad, now)) return null;
  return isTimed(ad) ? ad.cost_cents : monthsLeft(ad, now).length * ad.monthly_cost_cents;
}
