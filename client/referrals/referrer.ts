import { trackAccess } from '#shared/referrals/contract.ts';
import { refIn } from '#shared/referrals/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { call } from '../http/api.ts';
import { CallError } from '../http/api-client.ts';

const REFERRER = 'referrer';
const REPORT = 'referral_report';
const REMEMBERED_MS = 30 * DAY_MS;

function read(key: string): Record<string, unknown> | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof stored === 'object' ? (stored as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage, the referral isn't counted.
  }
}

/** Remembers for 30 days whose referral link the visitor followed; the latest counts. */
export function rememberReferrer(search: string, now = Date.now()): void {
  const ref = refIn(search);
  if (ref) write(REFERRER, { ref, at: now });
}

/** Call when an access code was accepted: reports it for the referrer, now or when online. */
export async function reportAccess(code: string, now = Date.now()): Promise<void> {
  const stored = read(REFERRER);
  if (typeof stored?.['ref'] !== 'string' || typeof stored['at'] !== 'number') return;
  write(REFERRER, null);
  if (now - stored['at'] > REMEMBERED_MS) return;
  write(REPORT, { ref: stored['ref'], code });
  await sendReport();
}

/** Sends a pending report. Never throws. */
export async function sendReport(): Promise<void> {
  const stored = read(REPORT);
  if (typeof stored?.['ref'] !== 'string' || typeof stored['code'] !== 'string') return;
  try {
    await call(trackAccess, { body: { referrer_id: stored['ref'], access_code: stored['code'] } });
  } catch (error) {
    const isRefused = error instanceof CallError && error.status === 400;
    if (!isRefused) return;
  }
  write(REPORT, null);
}
