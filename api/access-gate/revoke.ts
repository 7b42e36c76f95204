import { users as userRows } from '../session/collections.ts';
import type { Services } from '../services.ts';
import { type AccessCodeRow, accessCodes, accessCodeUses, accessGrants } from './collections.ts';
import { accessEnd } from './uses.ts';

type Has = Pick<Services, 'db' | 'signals'>;

/** Whether a code was taken back, with all that it gave; an admin may make it good again. */
export async function isRevoked({ db }: Has, codeId: string): Promise<boolean> {
  const filter = { _id: codeId, is_active: false, revoked_at: { $exists: true } };
  return (await accessCodes(db).countDocuments(filter, { limit: 1 })) > 0;
}

/** Takes back all that a revoked code gave, to visitors and to users; may be repeated. */
export async function takeBackUses(services: Has, codeId: string): Promise<void> {
  await accessGrants(services.db).deleteMany({ access_code_id: codeId });
  const users = await accessCodeUses(services.db).distinct('user_id', { access_code_id: codeId });
  for (const user of users) if (user !== null) await measureAccess(services, user);
}

/** Sets a user's access to what the codes that still stand give. */
async function measureAccess({ db, signals }: Has, userId: string): Promise<void> {
  for (;;) {
    const user = await userRows(db).findOne({ _id: userId });
    if (!user) return;
    const uses = await accessCodeUses(db).find({ user_id: userId }).toArray();
    const ids = uses.map((use) => use.access_code_id);
    const revoked = await accessCodes(db).distinct('_id', {
      _id: { $in: ids },
      is_active: false,
      revoked_at: { $exists: true },
    });
    const ends = uses
      .filter((use) => !revoked.includes(use.access_code_id))
      .map((use) => accessEnd(use.used_at).getTime());
    const until = ends.length > 0 ? new Date(Math.max(...ends)) : null;
    // Somebody who gives access meanwhile is not overruled.
    const { matchedCount } = await userRows(db).updateOne(
      { _id: userId, access_expires_at: user.access_expires_at },
      { $set: { access_expires_at: until } },
    );
    if (matchedCount === 0) continue;
    await signals.send('user', userId);
    return;
  }
}

/**
 * Ends a code, and what it gave; may be repeated.
 * @param row what it would be: where there is none yet, it is there now and ended, for whoever was about to make it
 */
export async function revokeCode(services: Has, row: AccessCodeRow): Promise<void> {
  const { _id, is_active: _, ...rest } = row;
  await accessCodes(services.db).updateOne(
    { _id },
    { $set: { is_active: false, revoked_at: new Date() }, $setOnInsert: rest },
    { upsert: true },
  );
  await takeBackUses(services, _id);
}
