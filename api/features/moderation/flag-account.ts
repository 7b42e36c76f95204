import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { hashText } from '../../platform/hash.ts';
import { messageReports } from './collections.ts';

const FLAGS_MAX = 20;

/**
 * Adds an account to the moderators’ queue without a reporter. Until a moderator decides, there is one entry per
 * account and reason; further flags are added to it.
 * @param reason a short sentence, the same for the same kind of suspicion
 * @param details a sentence about this occurrence, for moderators only
 */
export async function flagAccount(
  { db }: { db: Db },
  userId: string,
  reason: string,
  details: string,
): Promise<void> {
  const open_flag = hashText(`flag ${userId} ${reason}`);
  const at = new Date();
  const flag = () =>
    messageReports(db).updateOne(
      { open_flag },
      {
        $setOnInsert: {
          _id: newId(),
          subject_type: 'account',
          reporter_user_id: '',
          reported_user_id: userId,
          message_id: null,
          report_type: 'other',
          description: reason,
          status: 'pending',
          resolved_at: null,
          admin_notes: null,
          version: 0,
          decision: null,
          is_carried_out: true,
          created_at: at,
        },
        $set: { updated_at: at },
        $push: { flags: { $each: [{ at, details }], $slice: -FLAGS_MAX } },
      },
      { upsert: true },
    );
  try {
    await flag();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Another server created the entry at the same time.
    await flag();
  }
}
