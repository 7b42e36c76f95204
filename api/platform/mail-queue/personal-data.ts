import type { Db } from 'mongodb';
import { writtenBeforeDeletion, type PersonalDataHandler } from '../personal-data.ts';
import { queuedMail, sandboxSent } from './collections.ts';

/** Queued messages to the user, and those that the sandbox stored. */
export const mailQueueData = (db: Db): PersonalDataHandler => ({
  name: 'messages',
  async remove(user) {
    const theirs = { 'message.to': user.email };
    await queuedMail(db).deleteMany({
      status: 'waiting',
      ...theirs,
      created_at: writtenBeforeDeletion(user),
    });
    await sandboxSent(db).deleteMany({ ...theirs, at: writtenBeforeDeletion(user) });
  },
});
