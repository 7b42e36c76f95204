import {
  createFriendRequest,
  deleteFriend,
  listFriendRequests,
  listFriends,
  respondFailure,
  respondToFriendRequest,
  withdrawFriendRequest,
  type FriendRequest,
} from '#shared/friends/contract.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { DAY_SECONDS } from '#shared/time.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { refuseUnfit } from '../content-rules/refuse-unfit.ts';
import { type PairRow, pairs } from '../relationships/collections.ts';
import { namesSeenBy } from '../relationships/names-seen-by.ts';
import { pairsSeenAs } from '../relationships/pairs-seen.ts';
import { earlierViewOf, otherOf, type Act } from '../relationships/relationship.ts';
import { actOn, PAIRS_JOB, runPairsJob } from './relationship-store.ts';

const noFriend = () => new HttpError(404, "Friend not found or you're not friends with this user");

/**
 * Returns the request as a user sees it.
 * @throws if the pair has no request
 */
function present(pair: PairRow, userId: string, names: Map<string, string>): FriendRequest {
  const { request } = earlierViewOf(pair, userId) ?? pair;
  if (!request) throw new Error('the pair has no friend request');
  return {
    ...request,
    sender_name: names.get(request.sender_user_id) ?? '',
    receiver_name: names.get(request.receiver_user_id) ?? '',
    created_at: request.created_at.toISOString(),
    updated_at: request.updated_at.toISOString(),
  };
}

/** Since when a user sees the relationship, in milliseconds. */
const sinceOf = (pair: PairRow, userId: string): number =>
  (earlierViewOf(pair, userId) ?? pair).since.getTime();

/** Friends and requests. A relationship is one row, see relationship.ts. */
export function mountFriends(api: Api): void {
  const { services } = api;
  const asks = services.limiter({ name: 'friend-requests', points: 30, seconds: 3_600 });
  // Withdrawing and repeating a request must not become a way to notify someone again and again.
  const repeats = services.limiter({
    name: 'friend-requests-to-one',
    points: 5,
    seconds: DAY_SECONDS,
  });
  services.registerJob(PAIRS_JOB, () => runPairsJob(services));

  const namesIn = (rows: PairRow[], userId: string) =>
    namesSeenBy(services.db, userId, [...new Set(rows.flatMap(({ users }) => users))]);

  /** Newest first, without users whose accounts are being deleted. */
  async function pairsOf(userId: string, relationship: 'friends' | 'pending') {
    const found = await pairs(services.db).find(pairsSeenAs(userId, relationship)).toArray();
    const rows = found.toSorted(
      (a, b) => sinceOf(b, userId) - sinceOf(a, userId) || (a._id < b._id ? -1 : 1),
    );
    const names = await namesIn(rows, userId);
    return { rows: rows.filter((row) => names.has(otherOf(row, userId))), names };
  }

  serve(api, listFriendRequests, async ({ caller: { user } }) => {
    const { rows, names } = await pairsOf(user._id, 'pending');
    const all = rows.map((row) => present(row, user._id, names));
    return {
      received: all.filter(({ receiver_user_id }) => receiver_user_id === user._id),
      sent: all.filter(({ sender_user_id }) => sender_user_id === user._id),
    };
  });

  serve(api, createFriendRequest, async ({ body, caller: { user }, freshId, madeAt }) => {
    const { receiver_user_id } = body;
    if (receiver_user_id === user._id)
      throw new HttpError(400, 'You can’t send yourself a friend request', {
        fields: { receiver_user_id: 'You can’t send yourself a friend request' },
      });
    await asks(user._id);
    if (body.message) await refuseUnfit(services, user, body.message, 'message');
    const toThem = `${user._id} ${receiver_user_id}`;
    await repeats.check(toThem);
    const names = await namesSeenBy(services.db, user._id, [user._id, receiver_user_id]);
    if (!names.has(receiver_user_id)) throw notFound('User');
    const act: Act = { type: 'request', id: freshId(), message: body.message || null };
    const { pair, refused } = await actOn(services, {
      by: user._id,
      other: receiver_user_id,
      act,
      madeAt,
    }).catch(
      // The device repeats the call: it counts as one request.
      async (error: unknown) => {
        await asks.giveBack(user._id);
        throw error;
      },
    );
    // A blocked user gets the same error as for an unknown user.
    if (refused === 'blocked_by_them') throw notFound('User');
    if (refused === 'resting')
      throw new HttpError(
        409,
        'Your last request to this person was a short time ago. You can send another one after 30 days.',
        { code: refused },
      );
    if (refused)
      throw new HttpError(409, 'You’ve blocked this person. Unblock them first.', {
        code: 'blocked',
      });
    const friend_request = present(pair, user._id, names);
    if (friend_request.id === act.id) await repeats.admits(toThem);
    return { friend_request };
  });

  serve(api, withdrawFriendRequest, async ({ params, caller: { user }, madeAt }) => {
    await services.limitChanges(user._id);
    const act: Act = { type: 'withdraw' };
    const { refused } = await actOn(services, {
      by: user._id,
      other: params.receiverUserId,
      act,
      madeAt,
    });
    if (refused === 'already_friends')
      throw new HttpError(409, 'You’re already friends.', { code: refused });
    if (refused === 'requested_since')
      throw new HttpError(409, 'You’ve sent another request since then.', { code: refused });
    if (refused) throw notFound('Friend request');
    return {};
  });

  serve(api, respondToFriendRequest, async ({ body, caller: { user }, madeAt }) => {
    const row = await pairs(services.db).findOne({
      $or: [
        { 'request.id': body.request_id, 'request.receiver_user_id': user._id },
        { users: user._id, 'earlier_view.request.id': body.request_id },
      ],
    });
    if (!row) throw notFound('Friend request');
    await services.limitChanges(user._id);
    const { request_id, action } = body;
    const act: Act = { type: 'answer', request_id, accept: action === 'accept' };
    const { pair, refused } = await actOn(services, {
      by: user._id,
      other: otherOf(row, user._id),
      act,
      madeAt,
    });
    if (refused === 'answered')
      throw new HttpError(409, `${respondFailure(action)}: you’ve already answered it`, {
        code: 'answered',
      });
    // To a blocked user, it looks withdrawn.
    if (refused || pair.request?.id !== request_id) throw notFound('Friend request');
    return { friend_request: present(pair, user._id, await namesIn([pair], user._id)) };
  });

  serve(api, listFriends, async ({ caller: { user } }) => {
    const { rows, names } = await pairsOf(user._id, 'friends');
    const friends = rows.map((row) => ({
      user1_id: row.users[0],
      user2_id: row.users[1],
      friend_user_id: otherOf(row, user._id),
      friend_name: names.get(otherOf(row, user._id)) ?? '',
      created_at: new Date(sinceOf(row, user._id)).toISOString(),
    }));
    return { friends: friends.toSorted((a, b) => a.friend_name.localeCompare(b.friend_name)) };
  });

  serve(api, deleteFriend, async ({ params: { friendUserId }, caller: { user }, madeAt }) => {
    await services.limitChanges(user._id);
    const { refused } = await actOn(services, {
      by: user._id,
      other: friendUserId,
      act: { type: 'remove' },
      madeAt,
    });
    if (refused === 'friends_since')
      throw new HttpError(409, 'You’ve become friends again since then.', { code: refused });
    if (refused) throw noFriend();
    return {};
  });
}
