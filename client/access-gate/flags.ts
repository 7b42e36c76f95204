import { ACCESS_DAYS } from '#shared/access-gate/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { ACCESS_VERIFIED } from '../storage-keys.ts';

const VERIFIED_AT = 'access_verified_at';

/** Whether this device was let in, and not longer ago than the grant lasts; what is stale or broken is cleared. */
export function isAccessVerified(now = Date.now()): boolean {
  try {
    const at = localStorage.getItem(VERIFIED_AT);
    const age = now - Number(at);
    if (localStorage.getItem(ACCESS_VERIFIED) === 'true' && at && age <= ACCESS_DAYS * DAY_MS)
      return true;
  } catch {
    return false;
  }
  clearAccessVerified();
  return false;
}

/** Remembers that this browser is past the gate; the server decides all the same. */
export function setAccessVerified(now = Date.now()): void {
  try {
    localStorage.setItem(ACCESS_VERIFIED, 'true');
    localStorage.setItem(VERIFIED_AT, String(now));
  } catch {
    console.warn(
      'This browser can’t remember your access, so you’ll need to enter the code again.',
    );
  }
}

/** Forgets it, as when the server says otherwise. */
export function clearAccessVerified(): void {
  try {
    localStorage.removeItem(ACCESS_VERIFIED);
    localStorage.removeItem(VERIFIED_AT);
  } catch {
    // Nothing could be stored either.
  }
}
