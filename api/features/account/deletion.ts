import type { UserRow } from '#shared/server/collections.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { forgetLimits } from '../../platform/http/rate-limit.ts';
import {
  withVerifiedEmail,
  SETTLED_MS,
  type PersonalDataHandler,
} from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { closedAccount, NOT_DELETED, users } from '../../platform/session/collections.ts';
import { recordDeletions } from '../deletions/record-deletions.ts';

/** The background job that finishes deletions. */
export const DELETIONS_JOB = 'deleted accounts';

/** Idempotency keys and rate limits of a user. */
export const idempotencyData = ({ db, idempotency }: Services): PersonalDataHandler => ({
  name: 'calls',
  async remove({ _id }) {
    await idempotency.forget(_id);
    await forgetLimits(db, _id);
  },
});

/**
 * Calls every personal-data handler, continuing after failures.
 * @returns whether all succeeded
 */
async function removeAll({ personalData, log }: Services, user: UserRow): Promise<boolean> {
  let isDone = true;
  for (const handler of personalData)
    try {
      await handler.remove(withVerifiedEmail(user));
    } catch (err) {
      isDone = false;
      log.error(
        { err, user: user._id, data: handler.name },
        'personal data could not be deleted yet',
      );
    }
  return isDone;
}

/**
 * Deletes an account. From the first step on no one can sign in as this user; the person who signs in again is a new
 * user. `finishDeletions` removes what a crash or an outage leaves.
 */
export async function deleteUser(services: Services, userId: string): Promise<void> {
  await recordDeletions(services.db, 'user', [userId]);
  const user = await users(services.db).findOneAndUpdate(
    { _id: userId, ...NOT_DELETED },
    { $set: closedAccount(userId) },
    { returnDocument: 'after' },
  );
  if (!user) return;
  await services.signals.send('user', userId);
  if (!(await removeAll(services, user))) services.runJobSoon(DELETIONS_JOB);
}

/**
 * Removes the remaining data of deleted accounts; finally, their rows.
 * @throws when something could not be removed yet
 */
export async function finishDeletions(services: Services): Promise<void> {
  const settledBefore = new Date(Date.now() - SETTLED_MS);
  await forEachIsolated(
    users(services.db).find({ deleted_at: { $exists: true } }),
    async (user) => {
      if (!(await removeAll(services, user)))
        throw new Error('some data of a deleted account could not be removed yet');
      if (user.deleted_at && user.deleted_at < settledBefore)
        await users(services.db).deleteOne({ _id: user._id });
    },
  );
}
