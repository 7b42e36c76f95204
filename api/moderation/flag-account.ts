import type { Db } from 'mongodb';
import { messageReports } from './collections.ts';
import { randomUUID } from 'node:crypto';
import { isDuplicate } from '../database.ts';
import { hashText } from '../hash.ts';

const FLAGS_MAX = 20;

/**
 * Puts an account into the moderators' queue, without a reporter. While nobody has decided, there is one entry for each account
 * and reason: another flag is added to it.
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
          _id: randomUUID(),
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
    // Another server made the entry at the same moment.
    await flag();
  }
}
