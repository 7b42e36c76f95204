import {
  listConversations,
  listMessages,
  markRead,
  NOT_FRIENDS,
  searchMessages,
  sendMessage,
} from '#shared/chat/contract.ts';
import { messageId } from '#shared/chat/document.ts';
import { covers, readUpTo } from '#shared/chat/rules.ts';
import { HttpError } from '#shared/http/http-error.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { refuseUnfit } from '../content-rules/refuse-unfit.ts';
import { namesSeenBy } from '../relationships/names-seen-by.ts';
import { friendIds } from '../relationships/pairs-seen.ts';
import { otherOf } from '../relationships/relationship.ts';
import { mountAttachments } from './attachments.ts';
import { changeOwnSegment } from './change-own-segment.ts';
import {
  hasOpenThread,
  messages,
  openTo,
  threads as threadRows,
  byMessageId,
} from './collections.ts';
import { mountDrafts } from './drafts.ts';
import { mountEdit } from './edit.ts';
import { removeMessage } from './remove-message.ts';
import { newMessage, presentMessage, readConversation, readPage, searchThreads } from './store.ts';
import { threadOf } from './threads.ts';
import { mountUnsend } from './unsend.ts';

const noFriend = () => new HttpError(404, NOT_FRIENDS);

declare module '../../platform/services.ts' {
  interface Offers {
    /** Removes a message for both people; may be repeated. */
    removeMessage(id: string): Promise<unknown>;
  }
}

/**
 * Chat over HTTP: reads come from the projection of documents, writes are named changes of documents.
 */
export function mountChat(api: Api): void {
  const { services } = api;
  const { db } = services;
  api.offers.removeMessage = (id) => removeMessage(services, id);
  mountAttachments(api);
  mountUnsend(api);
  mountEdit(api);
  mountDrafts(api);
  const searches = services.limiter({ name: 'message-search', points: 120, seconds: 60 });

  /** Returns the user’s open threads with friends. */
  async function openThreads(userId: string) {
    const friends = await friendIds(db, userId);
    const threads = await threadRows(db).find(openTo(userId)).toArray();
    return threads
      .map((thread) => ({ thread, friend: otherOf(thread, userId) }))
      .filter(({ friend }) => friends.includes(friend));
  }

  serve(api, listMessages, async ({ params: { friendUserId }, query, caller: { user } }) => {
    const thread = await threadOf(services, user._id, friendUserId);
    if (!thread) throw noFriend();
    return readPage(db, thread, user._id, query);
  });

  serve(api, searchMessages, async ({ query: { words, friend_user_id }, caller: { user } }) => {
    await searches(user._id);
    const threads = (await openThreads(user._id)).filter(
      ({ friend }) => friend_user_id === undefined || friend === friend_user_id,
    );
    if (friend_user_id !== undefined && threads.length === 0) throw noFriend();
    const friends = new Map(threads.map(({ thread, friend }) => [thread._id, friend]));
    const found = threads.map(({ thread }) => thread);
    const rows = await searchThreads(db, found, user._id, words);
    return {
      messages: rows.map(({ _id, thread_id, text, at, sender_user_id }) => ({
        id: _id,
        friend_user_id: friends.get(thread_id) ?? '',
        text,
        at,
        is_own: sender_user_id === user._id,
      })),
    };
  });

  serve(api, sendMessage, async ({ body, caller: { user }, freshId }) => {
    const thread = await threadOf(services, user._id, body.receiver_user_id);
    if (!thread || thread.segments.length === 0) throw noFriend();
    await services.limitChanges(user._id);
    await refuseUnfit(services, user, body.message_text, 'message_text', { isCheckedLater: true });
    const key = freshId();
    const message = await newMessage(db, thread, { key, text: body.message_text, at: new Date() });
    const place = { thread_id: thread._id, number: thread.segments.length };
    const changed = await changeOwnSegment(services, place, user._id, {
      name: 'message.add',
      input: message,
    });
    // One of them blocked or removed the other in the meantime.
    if (!changed) throw noFriend();
    const row = await messages(db).findOne(byMessageId(messageId(changed.document, key)));
    if (!row) {
      // A block removes the messages after the thread.
      if (!(await hasOpenThread(db, user._id, thread._id))) throw noFriend();
      throw new Error('the new message is missing');
    }
    return { message: presentMessage(row) };
  });

  serve(api, markRead, async ({ body, caller: { user } }) => {
    const rows = await messages(db)
      .find({ _id: { $in: body.message_ids }, receiver_user_id: user._id })
      .toArray();
    await services.limitChanges(user._id);
    const bySegment = new Map<string, MessageRow[]>();
    for (const row of rows.filter(({ is_read }) => !is_read))
      bySegment.set(row.document_id, [...(bySegment.get(row.document_id) ?? []), row]);
    let marked = rows.filter(({ is_read }) => is_read).length;
    for (const those of bySegment.values()) marked += await markSegment(user._id, those);
    return { marked };
  });

  /**
   * Records in the reader’s own segment how far the friend’s segment is read.
   * @param rows unread messages of one segment, at least one
   * @returns how many of them are read now
   */
  async function markSegment(reader: string, rows: MessageRow[]): Promise<number> {
    const { thread_id, number, document_id } = rows[0]!;
    const unread = { thread_id, receiver_user_id: reader, is_read: false, number };
    const all = await messages(db)
      .find({ ...unread, document_id, is_hidden: { $ne: true } })
      .project<Pick<MessageRow, '_id' | 'device' | 'seq'>>({ device: 1, seq: 1 })
      .toArray();
    const seen = new Set(rows.map(({ _id }) => _id));
    const read = readUpTo(all, {}, ({ _id }) => seen.has(_id));
    if (Object.keys(read).length === 0) return 0;
    const marks = { received: read, read };
    const own = await changeOwnSegment(services, { thread_id, number }, reader, {
      name: 'marks.set',
      input: marks,
    });
    return own ? rows.filter((row) => covers(read, row)).length : 0;
  }

  serve(api, listConversations, async ({ caller: { user } }) => {
    const threads = await openThreads(user._id);
    const names = await namesSeenBy(
      db,
      user._id,
      threads.map(({ friend }) => friend),
    );
    const all = await Promise.all(
      threads.map(async ({ thread, friend: friend_user_id }) => {
        const friend_display_name = names.get(friend_user_id);
        const said = await readConversation(db, thread, user._id);
        if (!said || friend_display_name === undefined) return null;
        return { friend_user_id, friend_display_name, ...said };
      }),
    );
    const conversations = all
      .filter((each) => each !== null)
      .toSorted((a, b) => (a.last_activity < b.last_activity ? 1 : -1));
    return { conversations };
  });
}
