import { advertisers } from '../collections.ts';
import {
  approveAdReview,
  listAdReviews,
  refuseAdReview,
  REVIEWS_SHOWN,
  type ReviewItem,
} from '#shared/advertisers/review-contract.ts';
import {
  isListingId,
  type AdId,
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../../ads/collections.ts';
import { pictureUrl } from '../../files/public-owner.ts';
import { HttpError } from '../../http/http-error.ts';
import { serve } from '../../http/mount-endpoint.ts';
import type { Api } from '../../services.ts';
import { isTimed, monthsLeft, type PaidAd } from '../ads.ts';
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
    const timedRows = rows.filter(isTimed);
    const listingRows = rows.filter((row): row is ListingRow => !isTimed(row));
    const owners = [...new Set(rows.map(({ advertiser_id }) => advertiser_id))];
    const [timed, listed, companies] = await Promise.all([
      present.timed(timedRows, now),
      present.listings(listingRows, now),
      advertisers(db)
        .find({ _id: { $in: owners } }, { projection: { email: 1 } })
        .toArray(),
    ]);
    const emails = new Map(companies.map(({ _id, email }) => [_id, email]));
    return rows.flatMap((row): ReviewItem[] => {
      const { review } = row;
      if (!review) return [];
      const common = {
        version: review.version,
        email: emails.get(row.advertiser_id) ?? null,
        submitted_at: review.submitted_at.toISOString(),
        due_at: review.due_at.toISOString(),
        is_pending_approval: Boolean(row.pending_approval ?? row.proposed_content),
        is_flagged: row.is_flagged ?? false,
        refund_cents: refundOf(row, now),
      };
      if (isTimed(row)) {
        const ad = timed.find(({ id }) => id === row._id);
        const { approved_content: before, proposed_content: after } = row;
        return ad
          ? [
              {
                kind: 'timed',
                ...common,
                ad,
                before: before ? withPicture(before) : null,
                after: withPicture(after ?? (contentOf(row) as typeof row)),
              },
            ]
          : [];
      }
      const ad = listed.find(({ id }) => id === row._id);
      const { approved_content: before, proposed_content: after } = row;
      return ad
        ? [
            {
              kind: 'listing',
              ...common,
              ad,
              before: before ? withPicture(before) : null,
              after: withPicture(after ?? (contentOf(row) as typeof row)),
            },
          ]
        : [];
    });
  }
}

/** @throws HttpError 404 for an id that no paid ad has */
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

/** What a refusal refunds, in cents. */
function refundOf(ad: PaidAd, now: Date): number | null {
  if (!refusalRefunds(ad, now)) return null;
  return isTimed(ad) ? ad.cost_cents : monthsLeft(ad, now).length * ad.monthly_cost_cents;
}
