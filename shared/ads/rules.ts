import type { Upload } from '../endpoint.ts';

/** Of an ad, so much must be visible, for so long without a break, to count as seen. */
export const VISIBLE_SHARE = 0.5;
export const VISIBLE_MS = 1_000;

/** Of any ad, ours or one that is paid for. */
export const AD_TITLE_MAX = 100;
export const AD_DESCRIPTION_MAX = 500;
export const adImage: Upload = {
  field: 'image',
  maxBytes: 5 * 1024 * 1024 - 1,
  tooLarge: 'Image size must be less than 5MB',
};

/** Whether a text is an address that a link may lead to: http or https, without a password in it. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  try {
    const { username, password } = new URL(text);
    return username === '' && password === '';
  } catch {
    return false;
  }
}

export type PaymentStatus = 'pending' | 'completed' | 'failed' | 'refunded';
export type BookingStatus =
  | 'pending'
  | 'failed'
  | 'scheduled'
  | 'active'
  | 'completed'
  | 'cancelled';

export interface BookingTimes {
  payment_status: PaymentStatus;
  scheduled_start_at: Date;
  scheduled_end_at: Date;
  cancelled_at: Date | null;
  /** When an admin took it down. */
  taken_down_at?: Date | null;
  /** Nobody may see it before it is approved (`AD_REVIEW=before`). */
  pending_approval?: true;
}

/**
 * Where a paid ad is in its life: it follows from the payment and the time alone, so that no timer need run and no
 * restart can miss a step. It runs from its start up to, and without, its end.
 */
export function bookingStatus(booking: BookingTimes, now: Date): BookingStatus {
  if (booking.cancelled_at || booking.payment_status === 'refunded') return 'cancelled';
  if (booking.payment_status !== 'completed') return booking.payment_status;
  if (booking.taken_down_at) return 'cancelled';
  if (now < booking.scheduled_start_at) return 'scheduled';
  // An ad that is not approved by its start does not run (decision 260).
  if (booking.pending_approval) return 'cancelled';
  return now < booking.scheduled_end_at ? 'active' : 'completed';
}

export type ListingStatus = 'pending' | 'failed' | 'active' | 'paused' | 'expired' | 'cancelled';

export interface ListingTimes {
  payment_status: PaymentStatus;
  /** Null until the first month is paid. */
  subscription_start_date: Date | null;
  subscription_end_date: Date | null;
  paused_at: Date | null;
  /** When an admin took it down: until it is put back it is paused, whatever its advertiser wants. */
  taken_down_at?: Date | null;
  /** As for timed ads: until it is approved it is paused. */
  pending_approval?: true;
}

/** Where a business listing is in its life: as `bookingStatus`, from the payments, the time and its advertiser's wish. */
export function listingStatus(listing: ListingTimes, now: Date): ListingStatus {
  if (listing.payment_status === 'refunded') return 'cancelled';
  if (listing.payment_status !== 'completed') return listing.payment_status;
  if (!listing.subscription_end_date || now >= listing.subscription_end_date) return 'expired';
  const isPaused = listing.paused_at || listing.taken_down_at || listing.pending_approval;
  return isPaused ? 'paused' : 'active';
}
