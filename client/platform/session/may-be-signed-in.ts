import { SIGNED_IN_COOKIE } from '#shared/session/contract.ts';
import { rememberedUser } from './remembered-user.ts';

/**
 * Whether this browser may have a session. Scripts can't see the session's cookie, but the one set with it. The remembered user
 * doesn't suffice: Safari removes what scripts have stored after a week, and keeps cookies of the server.
 */
export const mayBeSignedIn = (): boolean =>
  new RegExp(`(^|[;\\s-])${SIGNED_IN_COOKIE}=`).test(document.cookie) || rememberedUser() !== null;
