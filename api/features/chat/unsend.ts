import { poll } from '#shared/backoff.ts';
import { unsendMessage } from '#shared/chat/contract.ts';
import { readSegment, splitMessageId } from '#shared/chat/document.ts';
import { UNSEND_WITHIN_MS } from '#shared/chat/rules.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { isRecorded } from '../deletions/record-deletions.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { byMessageId } from '../moderation/content/messages.ts';
import { finishRemovals, removeMessage } from '../moderation/content/remove-message.ts';
import type { Api } from '../../platform/services.ts';
import { messages, openTo, threads } from './collections.ts';

/** How long the row of a message that just arrived may take. */
const WAIT_FOR_ROW = { first: 100, longest: 400, forMs: 3_000 };

/** Unsending a message: its author removes it for both within an hour (decision 130). */
export function mountUnsend(api: Api): void {
  const { services } = api;
  const { db, documents } = services;
  // Each removal rewrites a document.
  const unsendings = services.limiter({ name: 'unsend', points: 60, seconds: 3_600 });
  services.sweep('removed messages', () => finishRemovals(services));

  const find = (id: string, sender_user_id: string): Promise<MessageRow | null> =>
    messages(db).findOne({ ...byMessageId(id), sender_user_id });

  /** Returns whether a message is in the caller’s own segment, whose projection follows. */
  async function isOnItsWay(id: string, userId: string): Promise<boolean> {
    const { documentId, key } = splitMessageId(id);
    const place = { [`documents.${userId}`]: documentId };
    const thread = { ...openTo(userId), segments: { $elemMatch: place } };
    if ((await threads(db).countDocuments(thread, { limit: 1 })) === 0) return false;
    const segment = readSegment(await documents.read(documentId));
    return segment.messages.some((message) => message.key === key);
  }

  /** Returns the caller’s message, also while it is on its way from the document; null if there is none. */
  async function findSoon(id: string, userId: string): Promise<MessageRow | null> {
    const row = await find(id, userId);
    if (row || !(await isOnItsWay(id, userId))) return row;
    const late = await poll(async () => (await find(id, userId)) ?? undefined, WAIT_FOR_ROW);
    if (!late)
      throw new HttpError(503, 'Try again in a moment.', { headers: { 'retry-after': '2' } });
    return late;
  }

  serve(api, unsendMessage, async ({ params: { id }, caller: { user } }) => {
    await unsendings(user._id);
    const row = await findSoon(id, user._id);
    if (!row) throw notFound('Message');
    // A repeat after a failure halfway, which has hidden it already.
    const isBegun = await isRecorded(db, 'message', [row._id, ...(row.former_ids ?? [])]);
    if (row.is_hidden && !isBegun)
      throw new HttpError(409, 'This message is being reviewed, so it can’t be unsent.', {
        code: 'in_review',
      });
    if (!isBegun && Date.now() - row.created_at.getTime() > UNSEND_WITHIN_MS)
      throw new HttpError(409, 'You can unsend a message for one hour after you sent it.', {
        code: 'too_late',
      });
    await removeMessage(services, row._id);
    return {};
  });
}
