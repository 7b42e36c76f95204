import { describe, expect, test } from 'vitest';
import { views } from '../../api/ads/view-tokens.ts';

const given = views(['a secret of this test']);
const start = new Date('2026-11-21T10:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);

describe('the id of a view', () => {
  test('is good with its ad, from a second on and for a day', () => {
    for (const ad of ['house', 7]) {
      const id = given.idFor(ad, start);
      expect(given.isGood(id, ad, later(999))).toBe(false);
      expect(given.isGood(id, ad, later(1_000))).toBe(true);
      expect(given.isGood(id, ad, later(23 * 3_600_000))).toBe(true);
      expect(given.isGood(id, ad, later(24 * 3_600_000))).toBe(false);
    }
  });

  test('is another each time, and good with no other ad', () => {
    const id = given.idFor(7, start);
    expect(given.idFor(7, start)).not.toBe(id);
    expect(given.isGood(id, 8, later(5_000))).toBe(false);
    expect(given.isGood(id, '7', later(5_000))).toBe(false);
  });

  test('cannot be made up, nor made older', () => {
    const [nonce, , signature] = given.idFor(7, later(5_000)).split('.');
    const older = `${nonce}.${start.getTime().toString(36)}.${signature}`;
    const elsewhere = views(['another secret']).idFor(7, start);
    for (const forged of [older, elsewhere, '', 'x', 'a.b.c', `${nonce}.1.${'x'.repeat(22)}`])
      expect(given.isGood(forged, 7, later(10_000))).toBe(false);
  });
});
