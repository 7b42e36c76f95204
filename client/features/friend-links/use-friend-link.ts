import { getFriendLink, renewFriendLink } from '#shared/friend-links/contract.ts';
import { call } from '../../platform/http/api.ts';
import { changeCached, useCachedQuery } from '../../platform/session/use-cached-query.ts';

const NAME = 'friend-link';

/** Returns the user's friend link: the cached one at once, even offline, then the server's. */
export const useFriendLink = () =>
  useCachedQuery(NAME, getFriendLink.answer, () => call(getFriendLink));

/**
 * Replaces the user's friend link, so that the one before stops working.
 * @throws CallError
 */
export async function replaceFriendLink(userId: string): Promise<void> {
  const answer = await call(renewFriendLink);
  changeCached(NAME, userId, () => answer);
}
