import { ACCESS_COOKIE } from '#shared/access-gate/contract.ts';
import { tieGrant } from '../features/access-gate/grants.ts';
import { markJoined } from '../features/invitations/mark-joined.ts';
import { reapplyBan } from '../features/moderation/sanctions.ts';
import { claimDonations } from '../features/payments/donation-ownership.ts';
import { cards } from '../features/profile/collections.ts';
import { countInvited } from '../features/referrals/count-invited.ts';
import { clearCookie, readCookie } from '../platform/http/cookies.ts';
import type { SignInSteps } from '../platform/session/routes.ts';

/** What features do when somebody signs in. */
export const SIGN_IN: SignInSteps = {
  admit: reapplyBan,

  async adopt(services, ctx, user) {
    await tieGrant(services, readCookie(ctx, ACCESS_COOKIE), user._id);
    clearCookie(ctx, ACCESS_COOKIE);
    await countInvited(services, user._id);
    await markJoined(services, user._id);
    await claimDonations(services, ctx, user);
  },

  async hasProfile(db, userId) {
    const card = await cards(db).findOne({ _id: userId }, { projection: { display_name: 1 } });
    return Boolean(card?.display_name);
  },
};
