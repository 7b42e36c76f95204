// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import {
  clearAccessVerified,
  isAccessVerified,
  setAccessVerified,
} from '../../client/access-gate/flags.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400_000;
const kept = () => [
  localStorage.getItem('access_verified'),
  localStorage.getItem('access_verified_at'),
];

describe('the local flags of the gate', () => {
  beforeEach(() => localStorage.clear());

  it('let a device in for 30 days', () => {
    setAccessVerified(NOW);
    expect(kept()).toEqual(['true', String(NOW)]);
    expect(isAccessVerified(NOW)).toBe(true);
    expect(isAccessVerified(NOW + 30 * DAY)).toBe(true);
  });

  it('are both cleared when older', () => {
    setAccessVerified(NOW);
    expect(isAccessVerified(NOW + 30 * DAY + 1)).toBe(false);
    expect(kept()).toEqual([null, null]);
  });

  it.each([
    ['the flag is missing', null, String(NOW)],
    ['the time is missing', 'true', null],
    ['the flag is not true', 'yes', String(NOW)],
    ['the time is no number', 'true', 'yesterday'],
    ['the time is empty', 'true', ''],
  ])('are both cleared when %s', (_, flag, at) => {
    if (flag !== null) localStorage.setItem('access_verified', flag);
    if (at !== null) localStorage.setItem('access_verified_at', at);
    expect(isAccessVerified(NOW)).toBe(false);
    expect(kept()).toEqual([null, null]);
  });

  it('are gone once cleared', () => {
    setAccessVerified(NOW);
    clearAccessVerified();
    expect(kept()).toEqual([null, null]);
    expect(isAccessVerified(NOW)).toBe(false);
  });
});
