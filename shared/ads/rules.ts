export const PRIORITY_MAX = 10;
export const AD_LIMIT_MAX = 10;

/** An ad counts as seen when this share of it was visible for this long without a break. */
export const VISIBLE_SHARE = 0.5;
export const VISIBLE_MS = 1_000;

/** Limits of house ads and paid ads. */
export const AD_TITLE_MAX = 100;
export const AD_DESCRIPTION_MAX = 500;

/** Whether a text is an http or https URL without credentials. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  try {
    const { username, password } = new URL(text);
    return username === '' && password === '';
  } catch {
    return false;
  }
}

/** A host with a dot, and what may follow it, as people type an address. */
const BARE_ADDRESS = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d{1,5})?([/?#]\S*)?$/u;

/** Completes an address without a scheme, such as `example.com`, to an https URL; returns anything else as it is. */
export const withScheme = (text: string): string =>
  BARE_ADDRESS.test(text) ? `https://${text}` : text;

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
  /** It is not shown before it is approved (`AD_REVIEW=before`). */
  pending_approval?: true;
}

/**
 * The status of a timed ad. It depends on the payment and the time alone, so that no timer is needed and a restart misses
 * nothing (decision 160). The end is exclusive.
 */
export function bookingStatus(booking: BookingTimes, now: Date): BookingStatus {
  if (booking.cancelled_at || booking.payment_status === 'refunded') return 'cancelled';
  if (booking.payment_status !== 'completed') return booking.payment_status;
  if (booking.taken_down_at) return 'cancelled';
  if (now < booking.scheduled_start_at) return 'scheduled';
  // An ad that is not approved by its start does not run (decision 160).
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
  /** When an admin took it down; it is paused until it is put back. */
  taken_down_at?: Date | null;
  /** It is paused until it is approved. */
  pending_approval?: true;
}

/** The status of a business listing, from its payments, the time, and whether it is paused. */
export function listingStatus(listing: ListingTimes, now: Date): ListingStatus {
  if (listing.payment_status === 'refunded') return 'cancelled';
  if (listing.payment_status !== 'completed') return listing.payment_status;
  if (!listing.subscription_end_date || now >= listing.subscription_end_date) return 'expired';
  const isPaused = listing.paused_at || listing.taken_down_at || listing.pending_approval;
  return isPaused ? 'paused' : 'active';
}
