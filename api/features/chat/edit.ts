import { editMessage } from '#shared/chat/contract.ts';
import { readSegment } from '#shared/chat/document.ts';
import { EDIT_WITHIN_MS, UNSEND_WITHIN_MS } from '#shared/chat/rules.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import type { MessageRow, UserRow } from '#shared/server/collections.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { refuseUnfit } from '../content-rules/refuse-unfit.ts';
import { fileOwner } from './attachments.ts';
import { changeOwnSegment } from './change-own-segment.ts';
import { byMessageId, messages, threads } from './collections.ts';
import { findOwnMessage, isRemovalBegun, keyOf, tryAgain } from './own-message.ts';
import { removeMessage } from './remove-message.ts';
import { documentOf } from './segment-documents.ts';
import { presentMessage } from './store.ts';

/** Editing a message: a new one takes its place, and it is removed (decision 130). */
export function mountEdit(api: Api): void {
  const { services } = api;
  const { db, images } = services;
  // Each edit rewrites a document.
  const edits = services.limiter({ name: 'edit', points: 60, seconds: 3_600 });

  /** An edit removes the message: what can’t be unsent can’t be edited, whatever the device claims. */
  function refuseUnremovable(row: MessageRow): void {
    if (row.is_hidden)
      throw new HttpError(409, 'This message is being reviewed, so it can’t be edited.', {
        code: 'in_review',
      });
    if (Date.now() - row.created_at.getTime() > UNSEND_WITHIN_MS) throw tooLate();
  }

  function refuseUneditable(row: MessageRow, madeAt: Date): void {
    if (row.place_id || row.voice)
      throw new HttpError(409, 'Only texts and captions can be edited.', { code: 'not_text' });
    if (madeAt.getTime() - row.created_at.getTime() > EDIT_WITHIN_MS) throw tooLate();
  }

  serve(api, editMessage, async ({ params, body, caller: { user }, freshId, madeAt }) => {
    await edits(user._id);
    const row = await findOwnMessage(services, params.id, user._id);
    if (!row) throw notFound('Message');
    const key = freshId();
    const { message_text: text } = body;
    // A repeat, whose answer was lost.
    if (keyOf(row) === key || row.text === text) return { message: presentMessage(row) };
    const isBegun = await isRemovalBegun(db, row);
    if (!isBegun) refuseUnremovable(row);
    const replacing = replacingOf(row);
    // After a failure halfway, only the removal is left. A refused attempt may have added it to a document that is being replaced.
    const thread = await threads(db).findOne({ _id: row.thread_id });
    const document_id = documentOf(thread, row.number, user._id);
    // A repeat, after another edit of what it made.
    if (row.edited && document_id && (await wasRemovedFrom(document_id, key)))
      return { message: presentMessage(row) };
    if (!(await messages(db).findOne({ ...replacing, document_id }))) {
      // It is being unsent, or another edit of it is under way.
      if (isBegun) throw tryAgain();
      await replace(row, { key, text }, user, madeAt);
    }
    await carryOver(row);
    await removeMessage(services, row._id);
    const next = await messages(db).findOne(replacing);
    if (!next) throw notFound('Message');
    return { message: presentMessage(next) };
  });

  /** Whether a message was removed from a segment. */
  const wasRemovedFrom = async (document: string, key: string): Promise<boolean> =>
    readSegment(await services.documents.read(document)).removed.has(key);

  /**
   * Returns a copy of a message’s photo for the one that takes its place: the removal takes the original along.
   * @throws HttpError 409 while the photo is not here
   */
  async function copyPhoto({ photo, thread_id, sender_user_id }: MessageRow) {
    if (!photo) return undefined;
    const owner = fileOwner(thread_id, sender_user_id);
    const image_key = photo.image_key && (await images.copy(photo.image_key, owner, owner));
    if (!image_key)
      throw new HttpError(409, 'You can edit the caption once the photo is sent.', {
        code: 'no_photo',
      });
    return { ...photo, image_key };
  }

  /** Adds the message that takes the place of another one, which stays for now. */
  async function replace(
    row: MessageRow,
    { key, text }: { key: string; text: string },
    user: UserRow,
    madeAt: Date,
  ): Promise<void> {
    refuseUneditable(row, madeAt);
    await refuseUnfit(services, user, text, 'message_text', { isCheckedLater: true });
    const { seq, device, at, reply_to, thread_id, number, edited } = row;
    const photo = await copyPhoto(row);
    const from = keyOf(row);
    const changed = await changeOwnSegment(services, { thread_id, number }, user._id, {
      name: 'message.add',
      input: {
        key,
        seq,
        device,
        at,
        text,
        reply_to,
        photo,
        edited: { from, first: edited?.first ?? from },
      },
    });
    if (!changed) throw notFound('Message');
  }

  /** The time limits are those of the first version, and who has read that has read the message. */
  async function carryOver(row: MessageRow): Promise<void> {
    const { created_at } = row;
    // It may have been read since.
    const read = await messages(db).findOne({ ...byMessageId(row._id), is_read: true });
    const $set = { created_at, ...(read && { is_read: true }) };
    await messages(db).updateMany(replacingOf(row), { $set });
  }
}

/** Matches what replaces a message. Its author’s device says so: it counts only at the same place of the same thread. */
const replacingOf = (row: MessageRow) => ({
  sender_user_id: row.sender_user_id,
  thread_id: row.thread_id,
  number: row.number,
  seq: row.seq,
  device: row.device,
  'edited.from': keyOf(row),
});

const tooLate = () =>
  new HttpError(409, 'You can edit a message for 15 minutes after you sent it.', {
    code: 'too_late',
  });
