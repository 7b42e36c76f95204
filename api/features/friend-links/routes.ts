import {
  getFriendLink,
  LINK_UNKNOWN,
  openFriendLink,
  OWN_LINK,
  renewFriendLink,
  type FriendLink,
} from '#shared/friend-links/contract.ts';
import { mayPass } from '#shared/server/collections.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#shared/time.ts';
import { pairs } from '../friends/collections.ts';
import { noticedBlockOf, pairId } from '../friends/relationship.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import { cards } from '../profile/collections.ts';
import { randomToken } from '../../platform/random-token.ts';
import type { Api } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { friendLinks, type FriendLinkRow } from './collections.ts';
import { friendLinkData } from './personal-data.ts';

const TOKEN_BYTES = 16;

const present = ({ token, created_at }: FriendLinkRow): FriendLink => ({
  token,
  created_at: created_at.toISOString(),
});

/** Friend links: a person who scans a member’s QR code finds them, and can send a friend request. */
export function mountFriendLinks(api: Api): void {
  const { services } = api;
  const { db, limiter } = services;
  services.personalData.add(friendLinkData(db));
  const limit = (name: string, points: number) =>
    limiter({ name, points, seconds: HOUR_SECONDS, shared: true });
  // Count links that lead to no one only, as for search codes (decision 140).
  const limitGuesses = limit('friend-link-guesses', 10);
  const limitNetwork = limit('friend-link-guesses-network', 50);
  const limitOpened = limiter({ name: 'friend-links-opened', points: 100, seconds: HOUR_SECONDS });
  const limitRenewed = limiter({ name: 'friend-links-renewed', points: 20, seconds: DAY_SECONDS });

  /** Returns whom a link leads a user to; null for everyone that they can’t find. */
  async function ownerOf(token: string, userId: string): Promise<string | null> {
    const link = await friendLinks(db).findOne({ token });
    if (!link || link._id === userId) return link?._id ?? null;
    const [owner, card, pair] = await Promise.all([
      findUser(db, link._id),
      cards(db).findOne({ _id: link._id }, { projection: { display_name: 1 } }),
      pairs(db).findOne({ _id: pairId(link._id, userId) }),
    ]);
    const isFound = owner && mayPass(owner, new Date()) && card?.display_name;
    return isFound && !(pair && noticedBlockOf(pair, userId)) ? link._id : null;
  }

  async function store(_id: string, operator: '$set' | '$setOnInsert') {
    const row = await friendLinks(db).findOneAndUpdate(
      { _id },
      { [operator]: { token: randomToken(TOKEN_BYTES), created_at: new Date() } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!row) throw new Error('the friend link was not stored');
    return { friend_link: present(row) };
  }

  serve(api, getFriendLink, ({ caller: { user } }) => store(user._id, '$setOnInsert'));

  serve(api, renewFriendLink, async ({ caller: { user } }) => {
    await limitRenewed(user._id);
    return store(user._id, '$set');
  });

  serve(api, openFriendLink, async ({ body, caller: { user }, ctx }) => {
    const network = networkOf(addressOf(ctx));
    await limitGuesses.check(user._id);
    await limitNetwork.check(network);
    await limitOpened(user._id);
    const user_id = await ownerOf(body.token, user._id);
    if (user_id === user._id) throw new HttpError(400, OWN_LINK, { code: 'own_link' });
    if (user_id === null) {
      await limitGuesses(user._id);
      await limitNetwork(network);
      throw new HttpError(404, LINK_UNKNOWN);
    }
    return { user_id };
  });
}
