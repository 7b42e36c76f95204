import { isDeepStrictEqual } from 'node:util';
import { SEGMENTS_OPEN } from '#shared/chat/rules.ts';
import { WAITING_MAX } from '#shared/chat/threads.ts';
import type { Services } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { changeDocumentOf } from '../../platform/user-documents.ts';
import { otherOf } from '../relationships/relationship.ts';
import { threads, messages } from './collections.ts';

/**
 * Lists in both contacts documents the older segments with unread messages, which devices don’t keep open: messages
 * that arrived late, or while their reader was away. May be repeated: the row is updated after the contacts document.
 * @throws HttpError 503 when the sync server is unavailable; the next message retries
 */
export async function updateUnreadSegments(services: Services, threadId: string): Promise<void> {
  const thread = await threads(services.db).findOne({ _id: threadId, state: 'open' });
  const oldest = (thread?.segments.length ?? 0) - SEGMENTS_OPEN;
  if (!thread || oldest < 1) return;
  for (const user of thread.users) {
    const unread = await messages(services.db).distinct('number', {
      thread_id: threadId,
      receiver_user_id: user,
      is_read: false,
      number: { $lte: oldest },
    });
    const numbers = unread.toSorted((a, b) => b - a).slice(0, WAITING_MAX);
    if (isDeepStrictEqual(numbers, thread.waiting?.[user] ?? [])) continue;
    const person = await findUser(services.db, user);
    if (!person) continue;
    await changeDocumentOf(services, person, {
      kind: 'contacts',
      name: 'thread.waiting',
      input: {
        friend_user_id: otherOf(thread, user),
        thread_id: threadId,
        numbers,
      },
    });
    await threads(services.db).updateOne(
      { _id: threadId },
      { $set: { [`waiting.${user}`]: numbers } },
    );
  }
}
