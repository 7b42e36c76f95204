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
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof kept === 'object' ? (kept as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing: who sent this visitor is not counted.
  }
}

/** Remembers for 30 days who handed out the link by which somebody came; the latest counts. */
export function rememberReferrer(search: string, now = Date.now()): void {
  const ref = refIn(search);
  if (ref) write(REFERRER, { ref, at: now });
}

/** To be called when a code has let somebody in: whoever sent them is told, now or when there is a network. */
export async function reportAccess(code: string, now = Date.now()): Promise<void> {
  const kept = read(REFERRER);
  if (typeof kept?.['ref'] !== 'string' || typeof kept['at'] !== 'number') return;
  write(REFERRER, null);
  if (now - kept['at'] > REMEMBERED_MS) return;
  write(REPORT, { ref: kept['ref'], code });
  await sendReport();
}

/** Sends what could not be told before. Never throws. */
export async function sendReport(): Promise<void> {
  const kept = read(REPORT);
  if (typeof kept?.['ref'] !== 'string' || typeof kept['code'] !== 'string') return;
  try {
    await call(trackAccess, { body: { referrer_id: kept['ref'], access_code: kept['code'] } });
  } catch (error) {
    const isRefused = error instanceof CallError && error.status === 400;
    if (!isRefused) return;
  }
  write(REPORT, null);
}
