import { describe, expect, test } from 'vitest';
import type { BookingTimes, ListingTimes } from '#shared/ads/rules.ts';
import { canRefund, canRefundAfter, downtimeMs } from '#shared/advertisers/take-downs.ts';
import { formatLength } from '#shared/dates.ts';

const HOUR = 3_600_000;
const now = new Date('2026-11-22T12:00:00Z');
const at = (hours: number) => new Date(now.getTime() + hours * HOUR);

const listing = (times: Partial<ListingTimes>): ListingTimes => ({
  payment_status: 'completed',
  subscription_start_date: at(-500),
  subscription_end_date: at(100),
  paused_at: null,
  taken_down_at: at(-48),
  ...times,
});

describe('the time that a removed listing lost', () => {
  test('a listing loses all the time that it was removed', () => {
    expect(downtimeMs(listing({}), now)).toBe(48 * HOUR);
  });
  test('a listing that ended while removed keeps the time that was left at its removal', () => {
    const ended = listing({ subscription_end_date: at(-10) });
    const left = at(-10).getTime() + downtimeMs(ended, now) - now.getTime();
    expect(left).toBe(38 * HOUR);
  });
  test('nothing is lost when the listing was unpaid, not removed, or clocks went back', () => {
    expect(downtimeMs(listing({ subscription_end_date: at(-48) }), now)).toBe(0);
    expect(downtimeMs(listing({ subscription_end_date: null }), now)).toBe(0);
    expect(downtimeMs(listing({ taken_down_at: null }), now)).toBe(0);
    expect(downtimeMs(listing({ taken_down_at: at(1) }), now)).toBe(0);
  });
});

test('allows refunding a removed listing for its remaining time, and a removed timed ad until its end', () => {
  expect(canRefund(listing({ subscription_end_date: at(-10) }), now)).toBe(true);
  expect(canRefund(listing({ subscription_end_date: at(-49) }), now)).toBe(false);
  expect(canRefund(listing({ taken_down_at: null }), now)).toBe(false);
  const down = { cancelled_at: null, taken_down_at: at(-3), scheduled_start_at: at(-4) };
  const timed = (scheduled_end_at: Date): BookingTimes => ({
    ...down,
    payment_status: 'completed',
    scheduled_end_at,
  });
  expect(canRefund(timed(at(1)), now)).toBe(true);
  expect(canRefund(timed(at(-1)), now)).toBe(false);
});

test('allows refunding a finished timed ad that is paid', () => {
  const over: BookingTimes = {
    payment_status: 'completed',
    scheduled_start_at: at(-4),
    scheduled_end_at: now,
    cancelled_at: null,
  };
  expect(canRefundAfter(over, now)).toBe(true);
  expect(canRefundAfter({ ...over, taken_down_at: at(-2) }, now)).toBe(true);
  expect(canRefundAfter({ ...over, scheduled_end_at: at(1) }, now)).toBe(false);
  expect(canRefundAfter({ ...over, cancelled_at: at(-1) }, now)).toBe(false);
  for (const payment_status of ['pending', 'failed', 'refunded'] as const)
    expect(canRefundAfter({ ...over, payment_status }, now)).toBe(false);
});

test('formats durations in hours, then in days', () => {
  expect([1_000, HOUR, 47 * HOUR, 48 * HOUR, 250 * HOUR].map(formatLength)).toEqual([
    '1 hour',
    '1 hour',
    '47 hours',
    '2 days',
    '10 days',
  ]);
});
