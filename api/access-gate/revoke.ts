import { users as userRows } from '../session/collections.ts';
import type { Services } from '../services.ts';
import { type AccessCodeRow, accessCodes, accessCodeUses, accessGrants } from './collections.ts';
import { accessEnd } from './uses.ts';

type Has = Pick<Services, 'db' | 'signals'>;

/** Returns whether a code is revoked; an admin may reactivate it. */
export async function isRevoked({ db }: Has, codeId: string): Promise<boolean> {
  const filter = { _id: codeId, is_active: false, revoked_at: { $exists: true } };
  return (await accessCodes(db).countDocuments(filter, { limit: 1 })) > 0;
}

/** Revokes the access that a code gave to visitors and users; may be repeated. */
export async function takeBackUses(services: Has, codeId: string): Promise<void> {
  await accessGrants(services.db).deleteMany({ access_code_id: codeId });
  const users = await accessCodeUses(services.db).distinct('user_id', { access_code_id: codeId });
  for (const user of users) if (user !== null) await measureAccess(services, user);
}

/** Recomputes a user’s access from their valid codes. */
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
    // Retries if the access changed in the meantime.
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
 * Revokes a code and the access that it gave; may be repeated.
 * @param row inserted as revoked if it doesn’t exist yet, for a call that is about to create it
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
