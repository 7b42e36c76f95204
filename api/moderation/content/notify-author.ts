import { createHash } from 'node:crypto';
import { BLOCKED_TEXT } from '#shared/moderation/contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type { Services } from '../../services.ts';
import { logged } from '../moderation-log.ts';
import { issue } from '../sanctions.ts';
import type { LogRow } from '../collections.ts';

/** Of what was found or decided: short, and the same for the same. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

/**
 * A message that disappears says why, to its author. It is no step on the ladder. May be repeated; to be called before the message
 * goes, since after that nothing is left to tell of.
 * @param why the same for a repeat
 */
export async function notifyAuthor(
  services: Services,
  { _id, sender_user_id }: Pick<MessageRow, '_id' | 'sender_user_id'>,
  why: string,
  { moderation_type, admin_user_id }: Pick<LogRow, 'moderation_type' | 'admin_user_id'>,
): Promise<void> {
  const warning = await issue(services, {
    id: `rule ${digestOf(why)}`,
    user_id: sender_user_id,
    sanction: {
      warning_type: 'warning',
      severity: 'minor',
      reason: `We removed one of your messages. ${BLOCKED_TEXT}`,
      law_enforcement_notice: false,
    },
    admin_user_id: null,
    report_id: null,
  });
  if (warning)
    await logged(services, `${why} warning`, {
      message_id: _id,
      user_id: sender_user_id,
      moderation_type,
      flagged_content: null,
      action_taken: 'warning_sent',
      admin_user_id,
    });
}
