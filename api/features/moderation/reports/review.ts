import type { Review } from '#shared/moderation/rules-contract.ts';
import { editedMeanwhile } from '../../../platform/admin/versioned-edit.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import type { Services } from '../../../platform/services.ts';
import type { Caller } from '../../../platform/session-cache.ts';
import { messages, byMessageId } from '../../chat/collections.ts';
import { release, removeMessage } from '../../chat/remove-message.ts';
import { type LogRow, moderationLog } from '../../content-rules/collections.ts';
import { notifyAuthor } from '../content/notify-author.ts';

/**
 * Stores a moderator’s decision about a message that is held for review, recorded in the audit log first. If several
 * rules matched the message, one decision covers all.
 * @throws HttpError 409 if another moderator decided in the meantime, or if the author changed the text since
 */
export async function decideReview(
  services: Services,
  caller: Caller,
  { _id, message_id, review, flagged_content }: LogRow,
  decision: Review,
): Promise<void> {
  if (decision === 'released') {
    const message = await messages(services.db).findOne(byMessageId(message_id ?? ''));
    if (message && message.text !== flagged_content) throw editedMeanwhile();
  }
  await services.audit(
    {
      caller,
      act: 'message.review',
      subject_id: _id,
      before: { review },
      after: { review: decision },
    },
    async () => {
      const { modifiedCount } = await moderationLog(services.db).updateMany(
        { message_id, review: 'pending' },
        {
          $set: {
            review: decision,
            admin_user_id: caller.user._id,
            is_carried_out: false,
            ...(decision === 'removed' && { action_taken: 'deleted' as const }),
          },
        },
      );
      if (modifiedCount === 0) throw editedMeanwhile();
    },
  );
}

/** Applies a review decision. May be repeated. */
export async function carryOutReview(
  services: Services,
  message_id: string,
  decision: Review,
): Promise<void> {
  const undone = { message_id, review: decision, is_carried_out: false };
  if (decision === 'released') await release(services, message_id);
  else {
    const message = await messages(services.db).findOne(byMessageId(message_id));
    const admin_user_id = (await moderationLog(services.db).findOne(undone))?.admin_user_id ?? null;
    const by = { moderation_type: 'admin' as const, admin_user_id };
    if (message) await notifyAuthor(services, message, `review ${message_id}`, by);
    await removeMessage(services, message_id);
  }
  await moderationLog(services.db).updateMany(undone, { $set: { is_carried_out: true } });
}

/** Applies reviews that a crash or an outage of the sync server left unfinished. */
export async function runReviewsJob(services: Services): Promise<void> {
  const undone = moderationLog(services.db).find({ is_carried_out: false });
  await forEachIsolated(undone, async ({ message_id, review }) => {
    if (message_id && review && review !== 'pending')
      await carryOutReview(services, message_id, review);
  });
}
