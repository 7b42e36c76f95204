import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { ACCESS_VERIFIED } from '../../platform/storage-keys.ts';

const VERIFIED_AT = 'access_verified_at';

/** Whether this device has passed the gate and access hasn't expired; clears an expired or invalid entry. */
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

/** Records that this browser has passed the gate; the server still checks every call. */
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

/** Removes the record, such as when the server denies access. */
export function clearAccessVerified(): void {
  try {
    localStorage.removeItem(ACCESS_VERIFIED);
    localStorage.removeItem(VERIFIED_AT);
  } catch {
    // Nothing was stored either.
  }
}
