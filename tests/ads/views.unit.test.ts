import { describe, expect, test } from 'vitest';
import { views } from '../../api/features/ads/view-tokens.ts';

const viewIds = views(['a secret of this test']);
const start = new Date('2026-11-21T10:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);

describe('the id of an ad view', () => {
  test('a view id is valid for its ad, from one second to one day after serving', () => {
    for (const ad of ['house', 7]) {
      const id = viewIds.idFor(ad, start);
      expect(viewIds.isGood(id, ad, later(999))).toBe(false);
      expect(viewIds.isGood(id, ad, later(1_000))).toBe(true);
      expect(viewIds.isGood(id, ad, later(23 * 3_600_000))).toBe(true);
      expect(viewIds.isGood(id, ad, later(24 * 3_600_000))).toBe(false);
    }
  });

  test('view ids are unique and valid for no other ad', () => {
    const id = viewIds.idFor(7, start);
    expect(viewIds.idFor(7, start)).not.toBe(id);
    expect(viewIds.isGood(id, 8, later(5_000))).toBe(false);
    expect(viewIds.isGood(id, '7', later(5_000))).toBe(false);
  });

  test('rejects forged and backdated view ids', () => {
    const [nonce, , signature] = viewIds.idFor(7, later(5_000)).split('.');
    const older = `${nonce}.${start.getTime().toString(36)}.${signature}`;
    const elsewhere = views(['another secret']).idFor(7, start);
    for (const forged of [older, elsewhere, '', 'x', 'a.b.c', `${nonce}.1.${'x'.repeat(22)}`])
      expect(viewIds.isGood(forged, 7, later(10_000))).toBe(false);
  });
});
