import type { Relationship } from '#shared/friends/document.ts';
import { withDays, type PublishedCard } from '#shared/friends/friend-card.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import type { FriendshipStatus } from '#shared/profile/contract.ts';
import { getFullProfile, getUserProfile, type FullProfile } from '#shared/profile/contract.ts';
import { shownCard } from '#shared/profile/shown-names.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { cards } from '../profile/collections.ts';
import { profileId } from '../profile/profile-id.ts';
import { pairs } from '../relationships/collections.ts';
import { COUNTED_AS_FRIENDS, friendIds } from '../relationships/pairs-seen.ts';
import {
  storedCardOf,
  noRelationship,
  noticedBlockOf,
  otherOf,
  pairId,
  viewOf,
} from '../relationships/relationship.ts';

const STATUS: Record<Relationship, FriendshipStatus> = {
  none: 'none',
  friends: 'friends',
  sent: 'pending_sent',
  received: 'pending_received',
  blocked: 'blocked',
};

/** Who may see the mutual friends, and their number. */
const SEES_MUTUAL_FRIENDS: ReadonlySet<FriendshipStatus> = new Set(['friends', 'pending_received']);

/** Full profiles: one’s own, and other users’ as the caller may see them. */
export function mountUserProfiles(api: Api): void {
  const { db, limiter } = api.services;
  const looks = limiter({ name: 'profiles', points: 120, seconds: 60 });

  /** @param kept the card that the caller is shown instead of the current one */
  async function profileOf(
    userId: string,
    caller: string,
    refusal: string,
    kept?: PublishedCard,
  ): Promise<FullProfile> {
    const row = await cards(db).findOne({ _id: userId });
    const card = row && { ...row, ...kept };
    if (!card?.display_name) throw new HttpError(404, refusal);
    const { display_name, join_date, image_key, about, dogs } =
      userId === caller ? card : withDays(shownCard(card));
    // It would reveal to others when someone walks.
    const is_location_sharing_enabled = userId === caller && card.is_location_sharing_enabled;
    return {
      id: userId,
      user_id: userId,
      display_name,
      join_date,
      image_key,
      about,
      is_location_sharing_enabled,
      dogs,
      friendship_status: 'none',
      mutual_friends_count: null,
      mutual_friend_ids: null,
    };
  }

  async function mutualFriends(one: string, other: string): Promise<string[]> {
    const mine = (await friendIds(db, one)).filter((id) => id !== other);
    const rows = await pairs(db)
      .find(
        { $and: [{ users: other }, { users: { $in: mine } }], ...COUNTED_AS_FRIENDS },
        { projection: { users: 1 } },
      )
      .toArray();
    return rows.map((row) => otherOf(row, other)).toSorted();
  }

  /** The caller's own, with the id that it has in `GET /profile`; the documents of others stay unnamed. */
  const ownProfile = async (user: UserRow, refusal: string): Promise<FullProfile> => ({
    ...(await profileOf(user._id, user._id, refusal)),
    id: profileId(user),
  });

  serve(api, getFullProfile, ({ caller: { user } }) => ownProfile(user, 'Profile not found'));

  serve(api, getUserProfile, async ({ params: { id }, caller: { user } }) => {
    await looks(user._id);
    const own = user._id;
    const pair = (await pairs(db).findOne({ _id: pairId(own, id) })) ?? noRelationship(own, id);
    if (noticedBlockOf(pair, own) && id !== own) throw notFound('User');
    if (id === own) return ownProfile(user, 'User not found');
    const profile = await profileOf(id, own, 'User not found', storedCardOf(pair, own));
    const friendship_status = STATUS[viewOf(pair, own).relationship];
    if (!SEES_MUTUAL_FRIENDS.has(friendship_status)) return { ...profile, friendship_status };
    const mutual_friend_ids = await mutualFriends(own, id);
    const mutual_friends_count = mutual_friend_ids.length;
    return { ...profile, friendship_status, mutual_friends_count, mutual_friend_ids };
  });
}
