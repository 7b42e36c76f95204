import type { Context } from 'koa';
import type { Filter } from 'mongodb';
import {
  createLiveCode,
  getFriendLink,
  LINK_UNKNOWN,
  openFriendLink,
  OWN_LINK,
  previewFriendLink,
  renewFriendLink,
  redeemLiveCode,
  type FriendLink,
} from '#shared/friend-links/contract.ts';
import { LIVE_CODE_SECONDS, LIVE_CODES_MAX } from '#shared/friend-links/rules.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { shownCard } from '#shared/profile/shown-names.ts';
import { mayPass } from '#shared/server/collections.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#shared/time.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import type { Api } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { actOn } from '../friends/relationship-store.ts';
import { cards } from '../profile/collections.ts';
import { pairs } from '../relationships/collections.ts';
import { namesSeenBy } from '../relationships/names-seen-by.ts';
import { noticedBlockOf, pairId, type Act } from '../relationships/relationship.ts';
import { friendLinkOf, friendLinks, newLink, newToken, type FriendLinkRow } from './collections.ts';

/** So many dogs are named to a guest. */
const DOGS_NAMED_MAX = 3;

const present = ({
  token,
  created_at,
}: Pick<FriendLinkRow, 'token' | 'created_at'>): FriendLink => ({
  token,
  created_at: created_at.toISOString(),
});

/** Friend links: a person who scans a member’s QR code finds them, and can send a friend request. */
export function mountFriendLinks(api: Api): void {
  const { services } = api;
  const { db, limiter } = services;
  const limit = (name: string, points: number) =>
    limiter({ name, points, seconds: HOUR_SECONDS, shared: true });
  // Count links that lead to no one only, as for search codes (decision 140).
  const limitGuesses = limit('friend-link-guesses', 10);
  const limitNetwork = limit('friend-link-guesses-network', 50);
  const limitOpened = limiter({ name: 'friend-links-opened', points: 100, seconds: HOUR_SECONDS });
  // A shown code is replaced every 45 seconds.
  const limitLive = limiter({ name: 'friend-links-live', points: 200, seconds: HOUR_SECONDS });
  const limitRenewed = limiter({ name: 'friend-links-renewed', points: 20, seconds: DAY_SECONDS });

  /** Returns the card of a link’s owner; null for someone who can’t be found. */
  async function cardOf(_id: string) {
    const projection = { display_name: 1, dogs: 1, hidden_names: 1 };
    const [owner, card] = await Promise.all([
      findUser(db, _id),
      cards(db).findOne({ _id }, { projection }),
    ]);
    const shown = card && shownCard(card);
    return owner && mayPass(owner, new Date()) && shown?.display_name ? shown : null;
  }

  /** Returns the id of a link’s owner; null for everyone that a user can’t find. */
  async function foundBy(userId: string, link: FriendLinkRow | null): Promise<string | null> {
    if (!link || link._id === userId) return link?._id ?? null;
    const [card, pair] = await Promise.all([
      cardOf(link._id),
      pairs(db).findOne({ _id: pairId(link._id, userId) }),
    ]);
    return card && !(pair && noticedBlockOf(pair, userId)) ? link._id : null;
  }

  /**
   * Finds whom a link or a live code leads a user to.
   * @throws HttpError for one’s own, and the same for all that lead to no one
   */
  async function open(userId: string, ctx: Context, link: Filter<FriendLinkRow>) {
    const network = networkOf(addressOf(ctx));
    await limitGuesses.check(userId);
    await limitNetwork.check(network);
    await limitOpened(userId);
    const row = await friendLinks(db).findOne(link);
    const found = await foundBy(userId, row);
    if (found === userId) throw new HttpError(400, OWN_LINK, { code: 'own_link' });
    if (!row || found === null) {
      await limitGuesses(userId);
      await limitNetwork(network);
      throw new HttpError(404, LINK_UNKNOWN);
    }
    return row;
  }

  serve(api, getFriendLink, async ({ caller: { user } }) => ({
    friend_link: present(await friendLinkOf(db, user._id)),
  }));

  serve(api, renewFriendLink, async ({ caller: { user } }) => {
    await limitRenewed(user._id);
    const renewed = { ...newLink(), live: [] };
    await friendLinks(db).updateOne({ _id: user._id }, { $set: renewed }, { upsert: true });
    return { friend_link: present(renewed) };
  });

  serve(api, createLiveCode, async ({ caller: { user } }) => {
    await limitLive(user._id);
    await friendLinkOf(db, user._id);
    const token = newToken();
    const until = new Date(Date.now() + LIVE_CODE_SECONDS * 1_000);
    await friendLinks(db).updateOne(
      { _id: user._id },
      { $push: { live: { $each: [{ token, until }], $slice: -LIVE_CODES_MAX } } },
    );
    return { live_code: { token, seconds: LIVE_CODE_SECONDS } };
  });

  serve(api, openFriendLink, async ({ body: { token, live_code }, caller: { user }, ctx }) => {
    const { _id: user_id, live = [] } = await open(user._id, ctx, { token });
    const now = new Date();
    return { user_id, is_live: live.some((each) => each.token === live_code && each.until > now) };
  });

  serve(api, redeemLiveCode, async ({ body: { token }, caller: { user }, ctx, freshId }) => {
    const live = { $elemMatch: { token, until: { $gt: new Date() } } };
    const { _id: user_id } = await open(user._id, ctx, { live });
    // One person at a time: whoever scans it next finds it used.
    const before = await friendLinks(db).findOneAndUpdate(
      { _id: user_id, 'live.token': token },
      { $pull: { live: { token } } },
      { returnDocument: 'before' },
    );
    const code = before?.live?.find((each) => each.token === token);
    if (!code) throw new HttpError(404, LINK_UNKNOWN);
    const act: Act = { type: 'befriend', id: freshId() };
    const { refused } = await actOn(services, { by: user._id, other: user_id, act }).catch(
      async (error: unknown) => {
        // The scan is repeated.
        await friendLinks(db).updateOne({ _id: user_id }, { $push: { live: code } });
        throw error;
      },
    );
    if (refused === 'blocked_by_you')
      throw new HttpError(409, 'You’ve blocked this person. Unblock them first.', {
        code: 'blocked',
      });
    if (refused) throw new HttpError(404, LINK_UNKNOWN);
    const names = await namesSeenBy(db, user._id, [user_id]);
    return { user_id, display_name: names.get(user_id) ?? '' };
  });

  serve(api, previewFriendLink, async ({ body: { token }, ctx }) => {
    const network = networkOf(addressOf(ctx));
    await limitNetwork.check(network);
    const link = await friendLinks(db).findOne({ token });
    const card = link && (await cardOf(link._id));
    if (!card) {
      await limitNetwork(network);
      throw new HttpError(404, LINK_UNKNOWN);
    }
    const dog_names = card.dogs.map(({ name }) => name).slice(0, DOGS_NAMED_MAX);
    return { display_name: card.display_name, dog_names };
  });
}
