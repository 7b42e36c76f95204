import { hashText } from '../../platform/hash.ts';
import type { Services } from '../../platform/services.ts';
import { type LogRow, moderationLog } from './collections.ts';

type NewEntry = Pick<
  LogRow,
  | 'message_id'
  | 'user_id'
  | 'moderation_type'
  | 'flagged_content'
  | 'action_taken'
  | 'admin_user_id'
> &
  Partial<
    Pick<
      LogRow,
      | 'rule_triggered'
      | 'severity'
      | 'review'
      | 'content_type'
      | 'content_id'
      | 'warning_type'
      | 'reason'
    >
  >;

/**
 * Logs a rule match or an action, once per `what`.
 * @returns the entry as it is now
 */
export async function logModeration(
  { db }: Pick<Services, 'db'>,
  what: string,
  entry: NewEntry,
): Promise<LogRow | null> {
  return moderationLog(db).findOneAndUpdate(
    { _id: hashText(what, 22) },
    {
      $setOnInsert: {
        rule_triggered: null,
        severity: null,
        review: null,
        content_type: null,
        content_id: null,
        warning_type: null,
        reason: null,
        ...entry,
        created_at: new Date(),
      },
    },
    { upsert: true, returnDocument: 'after' },
  );
}
