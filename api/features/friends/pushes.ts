import type { Db } from 'mongodb';
import { nameWithNote } from '#shared/friends/lookalikes.ts';
import type { PushComposers } from '../../platform/push/compose.ts';
import { findOneTogether } from '../../platform/read-together.ts';
import { pairs } from '../relationships/collections.ts';
import { lookalikesFor } from '../relationships/lookalike-names.ts';
import { namesSeenBy } from '../relationships/names-seen-by.ts';
import { otherOf, viewOf } from '../relationships/relationship.ts';

/** Returns who sent or answered a friend request, and how a user sees them, who may not see a block yet (decision 50). */
async function requestSeen(db: Db, id: string, userId: string) {
  const [now, before] = await Promise.all([
    findOneTogether(db, pairs(db), { 'request.id': id, users: userId }),
    findOneTogether(db, pairs(db), {
      users: userId,
      relationship: 'blocked',
      'earlier_view.user_id': userId,
      'earlier_view.request.id': id,
    }),
  ]);
  const pair = now ?? before;
  if (!pair) return null;
  const other = otherOf(pair, userId);
  const name = (await namesSeenBy(db, userId, [other])).get(other);
  // The account has been deleted.
  if (name === undefined) return null;
  return { other, name, relationship: viewOf(pair, userId).relationship };
}

/** The texts of a friend request and its answer. */
export const friendPushes: PushComposers = {
  async friend_request({ db }, { subject, user_id }, settings) {
    const [seen, lookalikeOf, { push_preview }] = await Promise.all([
      requestSeen(db, subject, user_id),
      lookalikesFor(db, user_id),
      settings,
    ]);
    if (seen?.relationship !== 'received') return null;
    const path = '/social?tab=requests';
    if (push_preview === 'nothing') return { title: 'New friend request', body: '', path };
    const who = nameWithNote(seen.name, lookalikeOf(seen.other, seen.name));
    return { title: 'New friend request', body: `${who} would like to be friends.`, path };
  },

  async friend_answer({ db }, { subject, user_id }, settings) {
    const [seen, lookalikeOf, { push_preview }] = await Promise.all([
      requestSeen(db, subject, user_id),
      lookalikesFor(db, user_id),
      settings,
    ]);
    if (seen?.relationship !== 'friends') return null;
    const title = 'Friend request accepted';
    if (push_preview === 'nothing') return { title, body: '', path: '/social' };
    const who = nameWithNote(seen.name, lookalikeOf(seen.other, seen.name));
    return { title, body: `You and ${who} are now friends.`, path: `/chat/${seen.other}` };
  },
};
