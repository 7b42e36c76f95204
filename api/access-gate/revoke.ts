import type { Services } from '../services.ts';
import type { AccessCodeRow } from './collections.ts';
import { accessEnd } from './uses.ts';

type Has = Pick<Services, 'database' | 'signals'>;

/** Whether a code was taken back, with all that it gave; an admin may make it good again. */
export async function isRevoked({ database }: Has, codeId: string): Promise<boolean> {
  const filter = { _id: codeId, is_active: false, revoked_at: { $exists: true } };
  return (await database.accessCodes.countDocuments(filter, { limit: 1 })) > 0;
}

/** Takes back all that a revoked code gave, to visitors and to users; may be repeated. */
export async function takeBackUses(services: Has, codeId: string): Promise<void> {
  const { accessCodeUses, accessGrants } = services.database;
  await accessGrants.deleteMany({ access_code_id: codeId });
  const users = await accessCodeUses.distinct('user_id', { access_code_id: codeId });
  for (const user of users) if (user !== null) await measureAccess(services, user);
}

/** Sets a user's access to what the codes that still stand give. */
async function measureAccess({ database, signals }: Has, userId: string): Promise<void> {
  const { users, accessCodes, accessCodeUses } = database;
  for (;;) {
    const user = await users.findOne({ _id: userId });
    if (!user) return;
    const uses = await accessCodeUses.find({ user_id: userId }).toArray();
    const ids = uses.map((use) => use.access_code_id);
    const revoked = await accessCodes.distinct('_id', {
      _id: { $in: ids },
      is_active: false,
      revoked_at: { $exists: true },
    });
    const ends = uses
      .filter((use) => !revoked.includes(use.access_code_id))
      .map((use) => accessEnd(use.used_at).getTime());
    const until = ends.length > 0 ? new Date(Math.max(...ends)) : null;
    // Somebody who gives access meanwhile is not overruled.
    const { matchedCount } = await users.updateOne(
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
  await services.database.accessCodes.updateOne(
    { _id },
    { $set: { is_active: false, revoked_at: new Date() }, $setOnInsert: rest },
    { upsert: true },
  );
  await takeBackUses(services, _id);
}
