import { bookingStatus } from '#shared/ads/rules.ts';
import { LISTING_REVIEW_DAYS } from '#shared/advertisers/rules.ts';
import { formatDateTimeInZone } from '#shared/dates.ts';
import type { AdReviewRow } from '../../ads/collections.ts';
import { isRefunded, isTimed, type PaidAd } from '../ads.ts';
import { titleOf } from '../email-templates.ts';
import type { AdvertiserEmail } from '../emails.ts';

/** The advertiser's time zone, such as `Europe/London`, and the current time. */
interface Reader {
  zone: string;
  now: Date;
}

/** The email about the decision on an ad, or on a change of one. */
export function reviewEmail(ad: PaidAd, review: AdReviewRow, reader: Reader): AdvertiserEmail {
  const quote = { quote: titleOf(ad) };
  if (review.state === 'not_reviewed')
    return {
      heading: 'Your ad didn’t run',
      parts: [
        quote,
        `We’re sorry: we couldn’t review your ad ${isTimed(ad) ? 'before its start' : `within ${LISTING_REVIEW_DAYS} days`}, so it wasn’t shown. We’ll refund your payment and email you when that’s done.`,
      ],
    };
  if (review.state === 'approved')
    return review.of === 'change'
      ? {
          heading: 'Your change is approved',
          parts: [quote, 'We reviewed the change to your ad and approved it.'],
        }
      : { heading: 'Your ad is approved', parts: [quote, approvedText(ad, reader)] };
  const reason = { quote: review.reason ?? '' };
  if (review.of === 'change')
    return {
      heading: 'Your change was rejected',
      parts: [
        quote,
        'We reviewed the change to your ad and can’t accept it. Your ad stays as we approved it before. The reason:',
        reason,
      ],
    };
  return {
    heading: 'Your ad was rejected',
    parts: [
      quote,
      'We reviewed your ad and can’t accept it, so it isn’t shown. The reason:',
      reason,
      isRefunded(ad) || ad.payment_status === 'refunded'
        ? 'We’ll refund your payment and email you when that’s done.'
        : 'It had already run its full time, so there’s no refund.',
    ],
  };
}

function approvedText(ad: PaidAd, { zone, now }: Reader): string {
  if (!isTimed(ad)) {
    const end = ad.subscription_end_date;
    return `We reviewed your listing and approved it.${end && end > now ? ` Dog owners can see it until ${formatDateTimeInZone(end, zone)}.` : ''}`;
  }
  switch (bookingStatus(ad, now)) {
    case 'scheduled':
      return `We reviewed your ad and approved it. It goes live on ${formatDateTimeInZone(ad.scheduled_start_at, zone)}.`;
    case 'active':
      return `We reviewed your ad and approved it. It runs until ${formatDateTimeInZone(ad.scheduled_end_at, zone)}.`;
    default:
      return 'We reviewed your ad and approved it.';
  }
}
