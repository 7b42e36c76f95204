import { assert, nat, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bookingStatus, isWebAddress, type BookingTimes } from '#shared/ads/rules.ts';
import { daysOf, uncounted } from '../../api/features/ads/ad-counters.ts';

test.each([
  ['https://example.com/dogs?a=1#b', true],
  ['http://example.com', true],
  ['HTTPS://EXAMPLE.COM', true],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['data:text/html,hi', false],
  ['ftp://example.com', false],
  ['//example.com', false],
  ['example.com', false],
  ['https://', false],
  ['https://name:secret@example.com', false],
  ['https://example.com@evil.example', false],
  ['', false],
])('whether %j is accepted as a link: %j', (text, expected) => {
  expect(isWebAddress(text)).toBe(expected);
});

const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour));
const booking: BookingTimes = {
  payment_status: 'completed',
  scheduled_start_at: at(10),
  scheduled_end_at: at(14),
  cancelled_at: null,
};

describe('the status of a paid ad', () => {
  test.each([
    [at(9), 'scheduled'],
    [at(10), 'active'],
    [new Date(at(14).getTime() - 1), 'active'],
    [at(14), 'completed'],
    [at(20), 'completed'],
  ])('derives the status of a paid ad from the time: at %o it is %s', (now, expected) => {
    expect(bookingStatus(booking, now)).toBe(expected);
  });

  test.each([
    [{ payment_status: 'pending' }, 'pending'],
    [{ payment_status: 'failed' }, 'failed'],
    [{ payment_status: 'refunded' }, 'cancelled'],
    [{ cancelled_at: at(8) }, 'cancelled'],
    [{ cancelled_at: at(8), payment_status: 'pending' }, 'cancelled'],
  ] as const)(
    'derives the status of a paid ad from its payment: %j is %s at any time',
    (change, expected) => {
      for (const hour of [0, 10, 12, 14, 23])
        expect(bookingStatus({ ...booking, ...change }, at(hour))).toBe(expected);
    },
  );

  test('the status of a paid ad only moves forward over time', () => {
    const order = ['scheduled', 'active', 'completed'];
    const isForward = (starts: number, lasts: number, first: number, later: number) => {
      const made = {
        ...booking,
        scheduled_start_at: new Date(starts),
        scheduled_end_at: new Date(starts + lasts),
      };
      const [before = 0, after = -1] = [first, first + later].map((ms) =>
        order.indexOf(bookingStatus(made, new Date(ms))),
      );
      return before <= after;
    };
    const [times, durations] = [nat(2_000), nat(1_000)];
    expect(() => assert(property(durations, durations, times, durations, isForward))).not.toThrow();
  });
});

test('a day when a listing was seen fewer than ten times looks like one when it was not', () => {
  const days = {
    '2026-11-01': { impressions: 9, clicks: 9 },
    '2026-11-02': { impressions: 19, clicks: 1 },
    '2026-11-03': { impressions: 4, clicks: 10 },
  };
  const shown = (isRounded: boolean) =>
    daysOf({ ...uncounted(), days }, new Date('2026-11-04T12:00:00Z'), { isRounded });
  expect(shown(true)).toEqual([
    { date: '2026-11-02', impressions: 10, clicks: 0 },
    { date: '2026-11-03', impressions: 0, clicks: 10 },
  ]);
  expect(shown(false).map(({ date }) => date)).toEqual(Object.keys(days));
});
