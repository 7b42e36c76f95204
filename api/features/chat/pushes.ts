import type { Db } from 'mongodb';
import { splitMessageId } from '#shared/chat/document.ts';
import { previewOf } from '#shared/chat/rules.ts';
import { titleWithNote } from '#shared/friends/lookalikes.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { PUSH_TEXT_MAX, type PushComposers } from '../../platform/push/compose.ts';
import { oncePerDatabase, readTogether } from '../../platform/read-together.ts';
import { namesOf } from '../profile/names.ts';
import { pairs } from '../relationships/collections.ts';
import { friendNames } from '../relationships/lookalike-names.ts';
import { friendIds } from '../relationships/pairs-seen.ts';
import { pairId } from '../relationships/relationship.ts';
import { messages, threads } from './collections.ts';

/** Pushes are sent in batches. */
const readsOf = oncePerDatabase((db) => ({
  messageOf: readTogether(db, messages(db)),
  pairOf: readTogether(db, pairs(db)),
}));

/** Returns a message, also if an edit has taken its place, or is about to (decision 130). */
async function messageNow(db: Db, id: string, reader: string): Promise<MessageRow | null> {
  const row = (await readsOf(db).messageOf(id)) ?? (await messages(db).findOne({ former_ids: id }));
  if (row && !row.removal_began_at) return row;
  const theirs = await threads(db)
    .find({ users: reader, is_live: true }, { projection: { _id: 1 } })
    .toArray();
  return messages(db).findOne({
    thread_id: { $in: theirs.map(({ _id }) => _id) },
    receiver_user_id: reader,
    is_read: false,
    'edited.first': splitMessageId(id).key,
    removal_began_at: { $exists: false },
  });
}

/** The text of a message, as much of it as its reader wants on the lock screen. */
export const chatPushes: PushComposers = {
  async message({ db }, { subject, user_id }, settings) {
    const [row, friends, { push_preview, muted }] = await Promise.all([
      messageNow(db, subject, user_id),
      friendIds(db, user_id),
      settings,
    ]);
    if (!row || row.receiver_user_id !== user_id || row.is_read || row.is_hidden) return null;
    const friend = row.sender_user_id;
    if (muted.has(friend)) return null;
    const [pair, { names, lookalikeOf }] = await Promise.all([
      readsOf(db).pairOf(pairId(user_id, friend)),
      friendNames(db, user_id, friends),
    ]);
    if (pair?.relationship !== 'friends') return null;
    const path = `/chat/${friend}`;
    const name = names.get(friend) ?? (await namesOf(db, [friend])).get(friend);
    // The account has been deleted.
    if (name === undefined) return null;
    if (push_preview === 'nothing') return { title: 'New message', body: '', path: '/social' };
    const title = titleWithNote(name, lookalikeOf(friend, name));
    if (push_preview === 'name') return { title, body: 'New message', path };
    return { title, body: previewOf(row.text, PUSH_TEXT_MAX), path };
  },
};
