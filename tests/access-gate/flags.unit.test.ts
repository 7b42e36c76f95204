// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import {
  clearAccessVerified,
  isAccessVerified,
  setAccessVerified,
} from '../../client/features/access-gate/flags.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400_000;
const storedFlags = () => [
  localStorage.getItem('access_verified'),
  localStorage.getItem('access_verified_at'),
];

describe('local access flags', () => {
  beforeEach(() => localStorage.clear());

  it('local access flags are valid for 30 days', () => {
    setAccessVerified(NOW);
    expect(storedFlags()).toEqual(['true', String(NOW)]);
    expect(isAccessVerified(NOW)).toBe(true);
    expect(isAccessVerified(NOW + 30 * DAY)).toBe(true);
  });

  it('clears both local access flags when they are older than 30 days', () => {
    setAccessVerified(NOW);
    expect(isAccessVerified(NOW + 30 * DAY + 1)).toBe(false);
    expect(storedFlags()).toEqual([null, null]);
  });

  it.each([
    ['the flag is missing', null, String(NOW)],
    ['the time is missing', 'true', null],
    ['the flag is not true', 'yes', String(NOW)],
    ['the time is not a number', 'true', 'yesterday'],
    ['the time is empty', 'true', ''],
  ])('clears both local access flags when %s', (_, flag, at) => {
    if (flag !== null) localStorage.setItem('access_verified', flag);
    if (at !== null) localStorage.setItem('access_verified_at', at);
    expect(isAccessVerified(NOW)).toBe(false);
    expect(storedFlags()).toEqual([null, null]);
  });

  it('clearing removes both local access flags', () => {
    setAccessVerified(NOW);
    clearAccessVerified();
    expect(storedFlags()).toEqual([null, null]);
    expect(isAccessVerified(NOW)).toBe(false);
  });
});
