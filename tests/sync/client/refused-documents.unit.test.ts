// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  OFFER_AGAIN_MS,
  RefusedDocuments,
} from '../../../client/platform/sync/connection/refused-documents.ts';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => void vi.useRealTimers());

test('changes that were refused are held for a pause that grows to an hour at most, and then due', () => {
  let due = 0;
  const refused = new RefusedDocuments('ann', () => due++);
  for (let times = 1; times <= 10; times++) {
    refused.add('doc', 'full');
    expect(refused.isHeld('doc')).toBe(true);
    expect(refused.isHeld('other')).toBe(false);
    const longest = Math.min(OFFER_AGAIN_MS.longest, OFFER_AGAIN_MS.first * 2 ** (times - 1));
    vi.advanceTimersByTime(longest / 2 - 1);
    expect(due).toBe(times - 1);
    vi.advanceTimersByTime(longest / 2 + 1);
    expect(due).toBe(times);
    expect(refused.isHeld('doc')).toBe(false);
    expect(refused.reasonOf('doc')).toBe('full');
  }
});

test('the next start knows what was refused and until when', () => {
  new RefusedDocuments('ann', () => {}).add('doc', 'too_large');
  const next = new RefusedDocuments('ann', () => {});
  expect(next.reasonOf('doc')).toBe('too_large');
  expect(next.isHeld('doc')).toBe(true);
  expect(new RefusedDocuments('ben', () => {}).reasonOf('doc')).toBeNull();
  next.forget('doc');
  expect(new RefusedDocuments('ann', () => {}).reasonOf('doc')).toBeNull();
});

test('a document that may be edited again is not held, and a clock that was set back holds nothing for days', () => {
  const refused = new RefusedDocuments('ann', () => {});
  refused.add('frozen', 'not_yours');
  expect(refused.isHeld('frozen')).toBe(false);
  vi.setSystemTime(10 * 86_400_000);
  refused.add('doc', 'invalid');
  vi.setSystemTime(0);
  expect(refused.isHeld('doc')).toBe(false);
});

test('a reason that only a newer version knows counts as invalid', () => {
  const rows = { doc: { reason: 'new', times: 1, until: 1 } };
  localStorage.setItem('cache-ann-refused-documents', JSON.stringify(rows));
  expect(new RefusedDocuments('ann', () => {}).reasonOf('doc')).toBe('invalid');
});
