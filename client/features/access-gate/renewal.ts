import type { CurrentUser } from '#shared/session/contract.ts';
import { DAY_MS } from '#shared/time.ts';

/** The name of the renewal dialog in the address. */
export const RENEW_OPEN = 'renew-access';
/** As the first reminder by email. */
const SOON_MS = 7 * DAY_MS;

/** Whether the access of a user ends within a week. */
export const endsSoon = ({ is_admin, access_expires_at }: CurrentUser, now = Date.now()): boolean =>
  !is_admin && access_expires_at !== null && Date.parse(access_expires_at) - now < SOON_MS;
