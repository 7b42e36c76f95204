import { BLOCKED_TEXT } from '#shared/moderation/contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { hashText } from '../../../platform/hash.ts';
import type { Services } from '../../../platform/services.ts';
import type { LogRow } from '../../content-rules/collections.ts';
import { logModeration } from '../../content-rules/log-moderation.ts';
import { issueNotice } from '../sanctions.ts';

/**
 * Notifies the author of a removed message. It doesn’t count toward further sanctions. May be repeated; must be called
 * before the removal, which deletes the message.
 * @param why identifies the reason; the same for a repeat
 */
export async function notifyAuthor(
  services: Services,
  { _id, sender_user_id }: Pick<MessageRow, '_id' | 'sender_user_id'>,
  why: string,
  { moderation_type, admin_user_id }: Pick<LogRow, 'moderation_type' | 'admin_user_id'>,
): Promise<void> {
  const reason = `We removed one of your messages. ${BLOCKED_TEXT}`;
  const id = `rule ${hashText(why, 12)}`;
  const warning = await issueNotice(services, id, {
    user_id: sender_user_id,
    reason,
    decided_by: admin_user_id,
  });
  if (warning)
    await logModeration(services, `${why} warning`, {
      message_id: _id,
      user_id: sender_user_id,
      moderation_type,
      flagged_content: null,
      action_taken: 'warning_sent',
      admin_user_id,
    });
}
