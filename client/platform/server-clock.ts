import { z } from 'zod';
import { readCache, writeCache } from './local-cache.ts';

const NAME = 'clock-behind';
/** Smaller differences may be network delay. */
const NOISE_MS = 30_000;

/** Records the server's time, because a device's clock may be off by hours. */
export function recordServerTime(userId: string, time: string | undefined): void {
  if (time === undefined) return;
  const behind = Date.parse(time) - Date.now();
  writeCache(userId, NAME, Math.abs(behind) > NOISE_MS ? behind : null);
}

/** Converts this device's time to the server's, as last recorded; both in milliseconds. */
export const serverTime = (userId: string, now: number): number =>
  now + (readCache(z.number(), userId, NAME) ?? 0);

/** Returns a stored timestamp in milliseconds, or 0 if it is in the future because the clock was set back. */
export const plausibleTimestamp = (at: number | undefined): number =>
  at !== undefined && at <= Date.now() ? at : 0;
