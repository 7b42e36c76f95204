import { LISTING_DAYS, LISTING_REVIEW_DAYS } from '#shared/advertisers/rules.ts';
import { formatDateTimeInZone, formatHours, formatLength } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import type { Counts } from '../ads/ad-counters.ts';
import type { BookingRow, ListingRow } from '../ads/collections.ts';
import { isRefunded, isTimed, type PaidAd } from './ads.ts';
import type { AdPaymentRow } from './collections.ts';
import type { AdvertiserEmail } from './emails.ts';

/** The advertiser's own title of an ad. */
export const titleOf = (ad: PaidAd): string => (isTimed(ad) ? ad.title : ad.business_name);

const seen = ({ impressions, clicks }: Counts): string =>
  `It was seen ${impressions.toLocaleString('en-US')} ${impressions === 1 ? 'time' : 'times'} and clicked ${clicks.toLocaleString('en-US')} ${clicks === 1 ? 'time' : 'times'}.`;

/** A timed ad is paid and its time is booked. */
export const scheduledEmail = (ad: BookingRow, zone: string): AdvertiserEmail => ({
  heading: 'Your ad is scheduled',
  parts: [
    { quote: `${ad.title}\n${ad.description}` },
    ...(ad.pending_approval
      ? [
          'We’ll review your ad before it goes live. If we can’t approve it before its start, it won’t run and you’ll get a full refund.',
        ]
      : []),
    `It goes live on ${formatDateTimeInZone(ad.scheduled_start_at, zone)} and runs for ${formatHours(ad.duration_hours)}, until ${formatDateTimeInZone(ad.scheduled_end_at, zone)}.`,
    'Until it starts, you can edit it or cancel it for a full refund.',
  ],
});

/** A month of a listing is paid: the first or a further one. */
export function listedEmail(ad: ListingRow, zone: string): AdvertiserEmail {
  if (ad.pending_approval)
    return {
      heading: 'Your listing is paid',
      parts: [
        { quote: `${ad.business_name}\n${ad.description}` },
        `We’ll review your listing before it goes live. Its ${LISTING_DAYS} days start when we approve it. If we can’t review it within ${LISTING_REVIEW_DAYS} days, you’ll get a full refund.`,
      ],
    };
  const days = ad.paid.length > 1 ? `for another ${LISTING_DAYS} days` : `for ${LISTING_DAYS} days`;
  const end = ad.subscription_end_date;
  const until = end ? `, until ${formatDateTimeInZone(end, zone)}` : '';
  return {
    heading: 'Your business is listed',
    parts: [
      { quote: `${ad.business_name}\n${ad.description}` },
      ad.paused_at
        ? `Your listing is paid ${days}${until}, but it’s paused. Resume it in your dashboard to show it again.`
        : `Owners who search for a walk within ${ad.search_radius_miles} miles of it can see it ${days}${until}.`,
    ],
  };
}

/** A timed ad has begun. @param zone such as `Europe/London` */
export const liveEmail = (ad: BookingRow, zone: string): AdvertiserEmail => ({
  heading: 'Your ad is live',
  parts: [
    { quote: ad.title },
    `Dog owners can see it until ${formatDateTimeInZone(ad.scheduled_end_at, zone)}.`,
  ],
});

/** A timed ad is over. */
export const finishedEmail = (ad: BookingRow, counts: Counts): AdvertiserEmail => ({
  heading: 'Your ad has finished',
  parts: [{ quote: ad.title }, `${seen(counts)} Thanks for advertising with us.`],
});

/** The last paid month of a listing is over. */
export const expiredEmail = (ad: ListingRow, counts: Counts): AdvertiserEmail => ({
  heading: 'Your listing has ended',
  parts: [
    { quote: ad.business_name },
    `${seen(counts)} You can renew it for another ${LISTING_DAYS} days in your dashboard. Listings don’t renew automatically, so you won’t be charged again.`,
  ],
});

export const receiptEmail = (
  payment: AdPaymentRow,
  ad: PaidAd,
  company: string,
  zone: string,
): AdvertiserEmail => ({
  heading: `Receipt: ${dollars(payment.amount_cents)}`,
  parts: [
    { quote: `${company}\n${titleOf(ad)}` },
    `Paid: ${dollars(payment.amount_cents)} ${payment.currency} on ${formatDateTimeInZone(payment.paid_at ?? payment.updated_at, zone)}.\nPayment: ${payment.payment_id ?? payment._id}`,
  ],
});

/** A payment was refunded. */
export const refundEmail = (payment: AdPaymentRow, ad: PaidAd): AdvertiserEmail => ({
  heading: `Refund: ${dollars(payment.amount_cents)}`,
  parts: [
    { quote: titleOf(ad) },
    `We refunded ${dollars(payment.amount_cents)} ${payment.currency} to your card. It can take a few days to appear on your statement.\nPayment: ${payment.payment_id ?? payment._id}`,
  ],
});

/** The advertiser’s bank took the payment back. */
export const disputeLostEmail = (payment: AdPaymentRow, ad: PaidAd): AdvertiserEmail => ({
  heading: `Your bank returned ${dollars(payment.amount_cents)} to you`,
  parts: [
    { quote: titleOf(ad) },
    `You disputed this payment, and your bank decided for you. So your ad has ended.\nPayment: ${payment.payment_id ?? payment._id}`,
  ],
});

/** A refund failed, or a dispute was decided for us: the payment stands. */
export const paymentStandsEmail = (
  payment: AdPaymentRow,
  ad: PaidAd,
  state: 'refund_failed' | 'dispute_won',
): AdvertiserEmail => ({
  heading:
    state === 'refund_failed'
      ? `Your refund of ${dollars(payment.amount_cents)} didn’t arrive`
      : `Your payment of ${dollars(payment.amount_cents)} stands`,
  parts: [
    { quote: titleOf(ad) },
    state === 'refund_failed'
      ? 'Your bank didn’t accept it. Contact us and we’ll find another way.'
      : 'You disputed this payment, and your bank decided that it stands.',
    ad.payment_status === 'completed' && !(isTimed(ad) && ad.cancelled_at)
      ? 'Your ad is back where it was.'
      : 'Your ad stays canceled.',
    `Payment: ${payment.payment_id ?? payment._id}`,
  ],
});

/** An admin took the ad down. */
export const takenDownEmail = (ad: PaidAd): AdvertiserEmail => ({
  heading: 'Your ad was taken down',
  parts: [
    { quote: titleOf(ad) },
    'An admin took it down, so it’s no longer shown. The reason:',
    { quote: ad.taken_down_reason ?? '' },
    isRefunded(ad)
      ? 'We’ll refund your payment and email you when that’s done.'
      : `We’ll email you if it’s restored. ${isTimed(ad) ? 'It still ends at its original time.' : 'We’ll add the time it was down to your listing.'}`,
  ],
});

/** An admin put the ad back; a listing was extended by its downtime. */
export const backOnlineEmail = (ad: PaidAd, zone: string): AdvertiserEmail => ({
  heading: 'Your ad is back',
  parts: [
    { quote: titleOf(ad) },
    isTimed(ad) || !ad.extended_ms || !ad.subscription_end_date
      ? 'An admin restored it. It’s shown as booked.'
      : `An admin restored it. It was down for ${formatLength(ad.extended_ms)}, so we extended it: it now runs until ${formatDateTimeInZone(ad.subscription_end_date, zone)}.`,
  ],
});

/** An admin refunds an ad whose time is over. */
export const refundedEmail = (ad: BookingRow): AdvertiserEmail => ({
  heading: 'We’re refunding your ad',
  parts: [
    { quote: ad.title },
    'An admin issued a full refund. The reason:',
    { quote: ad.refund_reason ?? '' },
    'We’ll email you when it’s done.',
  ],
});

/** A requested link to the dashboard. */
export const linkEmail = (): AdvertiserEmail => ({
  heading: 'Your advertiser dashboard',
  parts: [
    'Someone asked for a link to your advertiser dashboard. If it wasn’t you, you can ignore this email.',
  ],
});
