import { unsendMessage } from '#shared/chat/contract.ts';
import { UNSEND_WITHIN_MS } from '#shared/chat/rules.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { recordDeletions } from '../deletions/record-deletions.ts';
import { fileKeyOf } from './attachments.ts';
import { authoredKey } from './collections.ts';
import { findOwnMessage, isRemovalBegun } from './own-message.ts';
import { finishRemovals, removeMessage } from './remove-message.ts';

const FINISHED_EVERY_MS = 20_000;

/** Unsending a message: its author removes it for both within an hour, or until its photo or recording arrives (decision 130). */
export function mountUnsend(api: Api): void {
  const { services } = api;
  const { db } = services;
  // Each removal rewrites a document.
  const unsendings = services.limiter({ name: 'unsend', points: 60, seconds: 3_600 });
  services.registerJob('removed messages', () => finishRemovals(services), {
    everyMs: FINISHED_EVERY_MS,
  });

  serve(api, unsendMessage, async ({ params: { id }, caller: { user } }) => {
    await unsendings(user._id);
    const row = await findOwnMessage(services, id, user._id);
    if (!row) {
      // A restored backup may not have it, but another device, which sends it again, perhaps to the document that replaced this one.
      await recordDeletions(db, 'message', [authoredKey(user._id, id)]);
      throw notFound('Message');
    }
    // A repeat after a failure halfway.
    const isBegun = await isRemovalBegun(db, row);
    if (row.is_hidden && !isBegun)
      throw new HttpError(409, 'This message is being reviewed, so it can’t be unsent.', {
        code: 'in_review',
      });
    const isWithoutFile = Boolean(row.photo ?? row.voice) && fileKeyOf(row) === null;
    if (!isBegun && !isWithoutFile && Date.now() - row.created_at.getTime() > UNSEND_WITHIN_MS)
      throw new HttpError(409, 'You can unsend a message for one hour after you sent it.', {
        code: 'too_late',
      });
    await removeMessage(services, row._id);
    return {};
  });
}
