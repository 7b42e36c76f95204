import { z } from 'zod';
import { readCache, writeCache } from './local-cache.ts';

const NAME = 'clock-behind';
/** An answer takes a while: what is less says nothing of a clock. */
const NOISE_MS = 30_000;

/** Hears the time from the server, which dates what it says by its own clock: that of a device may be off by hours. */
export function recordServerTime(userId: string, time: string | undefined): void {
  if (time === undefined) return;
  const behind = Date.parse(time) - Date.now();
  writeCache(userId, NAME, Math.abs(behind) > NOISE_MS ? behind : null);
}

/** A time of this device by the server's clock, as far as it was heard of; both in milliseconds. */
export const serverTime = (userId: string, now: number): number =>
  now + (readCache(z.number(), userId, NAME) ?? 0);

/** When this device heard of something, in milliseconds; 0, long ago, where its clock was set back since. */
export const plausibleTimestamp = (at: number | undefined): number =>
  at !== undefined && at <= Date.now() ? at : 0;
