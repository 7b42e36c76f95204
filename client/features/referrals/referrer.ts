import { z } from 'zod';
import { getInvitation, trackAccess } from '#shared/referrals/contract.ts';
import { refIn } from '#shared/referrals/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { CURRENT_USER } from '../../platform/storage-keys.ts';
import { readStorage, writeStorage } from '../../platform/web-storage.ts';

const REFERRER = 'referrer';
const REPORT = 'referral_report';
const REMEMBERED_MS = 30 * DAY_MS;

const referrer = z.object({ ref: z.string(), at: z.number() });
const report = z.object({ ref: z.string(), code: z.string() });

/** Remembers for 30 days whose referral link the visitor followed; the latest counts. */
export function rememberReferrer(search: string, now = Date.now()): void {
  const ref = refIn(search);
  if (ref) writeStorage(REFERRER, { ref, at: now });
}

/** @returns the path of the gate with the invitation of a link, or null if it can't be used, or someone has signed in on this device. */
export async function findGatePath(search: string): Promise<string | null> {
  const ref = refIn(search);
  if (!ref || hasMember()) return null;
  try {
    await call(getInvitation, { params: { ref } });
  } catch {
    return null;
  }
  return `/access-code?ref=${encodeURIComponent(ref)}`;
}

const hasMember = (): boolean => readStorage(z.object({ id: z.string() }), CURRENT_USER) !== null;

/** Call when an access code was accepted: reports it for the referrer, now or when online. */
export async function reportAccess(code: string, now = Date.now()): Promise<void> {
  const stored = readStorage(referrer, REFERRER);
  if (!stored) return;
  writeStorage(REFERRER, null);
  if (now - stored.at > REMEMBERED_MS) return;
  writeStorage(REPORT, { ref: stored.ref, code });
  await sendReport();
}

/** Sends a pending report. Never throws. */
export async function sendReport(): Promise<void> {
  const stored = readStorage(report, REPORT);
  if (!stored) return;
  try {
    await call(trackAccess, { body: { referrer_id: stored.ref, access_code: stored.code } });
  } catch (error) {
    const isRefused = error instanceof CallError && error.status === 400;
    if (!isRefused) return;
  }
  writeStorage(REPORT, null);
}
