import { z } from 'zod';
import type { AccountDocument } from '#shared/account/document.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { readCache, writeCache } from '../../local-cache.ts';

const NAME = 'sharing-decision';
const decision = z.object({
  isEnabled: z.boolean(),
  /** How many decisions may not be stored, this one included. */
  count: z.number(),
  at: z.number(),
});
/** The owner’s last decision, while it may not be in the account document on this device’s disk. */
export type SharingDecision = z.output<typeof decision>;

/** A page that was gone before its change was stored is followed by the next one within this time. */
const FRESH_MS = MINUTE_MS;

const isFresh = ({ at }: SharingDecision): boolean => Math.abs(Date.now() - at) < FRESH_MS;

/** Records a decision before it is stored. */
export function recordSharing(userId: string, isEnabled: boolean): SharingDecision {
  const before = readLostSharing(userId);
  const now = { isEnabled, count: (before?.count ?? 0) + 1, at: Date.now() };
  writeCache(userId, NAME, now);
  return now;
}

/** Returns the last decision if its page may have been gone before it was stored. */
export function readLostSharing(userId: string): SharingDecision | null {
  const last = readCache(decision, userId, NAME);
  return last && isFresh(last) ? last : null;
}

/** Removes the record once the decision is stored, unless a newer one was recorded. */
export function forgetSharing(userId: string, stored: SharingDecision): void {
  const last = readCache(decision, userId, NAME);
  if (last?.at === stored.at && last.count === stored.count) writeCache(userId, NAME, null);
}

/**
 * Makes a decision again. The server may have received it from a page that is gone, with changes that this device doesn’t know;
 * they arrive later, beside what is decided next, and the change with the higher number would win. So each lost change is
 * outnumbered.
 */
export function repeatSharing(
  account: Pick<AccountDocument, 'is_location_sharing_enabled'>,
  { isEnabled, count }: SharingDecision,
): void {
  for (let made = 0; made <= count; made++) {
    account.is_location_sharing_enabled = !isEnabled;
    account.is_location_sharing_enabled = isEnabled;
  }
}
