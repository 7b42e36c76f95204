import type { Services } from '../../platform/services.ts';
import { users } from '../../platform/session/collections.ts';
import { accessCodes, accessCodeUses } from './collections.ts';
import { accessEndOf } from './uses.ts';

/**
 * Sets until when a user has access from the uses of codes that aren't revoked, on every server. May be repeated.
 * @returns the end; null if the user has no access by a code, or doesn't exist
 */
export async function measureAccess(
  { db, signals }: Pick<Services, 'db' | 'signals'>,
  userId: string,
): Promise<Date | null> {
  for (;;) {
    const user = await users(db).findOne({ _id: userId });
    if (!user) return null;
    const uses = await accessCodeUses(db).find({ user_id: userId }).toArray();
    const revoked = await accessCodes(db).distinct('_id', {
      _id: { $in: uses.map(({ access_code_id }) => access_code_id) },
      is_active: false,
      revoked_at: { $exists: true },
    });
    const until = accessEndOf(uses.filter((use) => !revoked.includes(use.access_code_id)));
    const isLater = until !== null && until > (user.access_expires_at ?? 0);
    // Retries if the access changed in the meantime.
    const { matchedCount } = await users(db).updateOne(
      { _id: userId, access_expires_at: user.access_expires_at },
      {
        $set: { access_expires_at: until },
        ...(isLater ? { $unset: { access_reminded_days: '' } } : {}),
      },
    );
    if (matchedCount === 0) continue;
    await signals.send('user', userId);
    return until;
  }
}
