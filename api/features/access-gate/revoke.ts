import type { Services } from '../../platform/services.ts';
import { type AccessCodeRow, accessCodes, accessCodeUses, accessGrants } from './collections.ts';
import { measureAccess } from './measure-access.ts';

type Has = Pick<Services, 'db' | 'signals'>;

/** Returns whether a code is revoked; an admin may reactivate it. */
export async function isRevoked({ db }: Has, codeId: string): Promise<boolean> {
  const filter = { _id: codeId, is_active: false, revoked_at: { $exists: true } };
  return (await accessCodes(db).countDocuments(filter, { limit: 1 })) > 0;
}

/** Revokes the access that a code gave to visitors and users; may be repeated. */
export async function takeBackUses(services: Has, codeId: string): Promise<void> {
  await accessGrants(services.db).deleteMany({ access_code_id: codeId });
  await measureUsers(services, codeId);
}

async function measureUsers(services: Has, codeId: string): Promise<void> {
  const users = await accessCodeUses(services.db).distinct('user_id', { access_code_id: codeId });
  for (const user of users) if (user !== null) await measureAccess(services, user);
}

/**
 * Revokes a code and the access that it gave; may be repeated.
 * @param row inserted as revoked if it doesn’t exist yet, for a call that is about to create it
 */
export async function revokeCode(services: Has, row: AccessCodeRow): Promise<void> {
  const { _id, is_active: _, ...rest } = row;
  await accessCodes(services.db).updateOne(
    { _id, is_active: false, revoked_at: { $exists: false } },
    { $set: { was_inactive: true } },
  );
  await accessCodes(services.db).updateOne(
    { _id },
    { $set: { is_active: false, revoked_at: new Date() }, $setOnInsert: rest },
    { upsert: true },
  );
  await takeBackUses(services, _id);
}

/**
 * Restores a revoked code and the access that it gave to users; visitors who aren't signed in enter it again. A code that an admin had
 * deactivated stays so. May be repeated.
 */
export async function restoreCode(services: Has, _id: string): Promise<void> {
  await accessCodes(services.db).updateOne({ _id, revoked_at: { $exists: true } }, [
    { $set: { is_active: { $or: ['$is_active', { $ne: ['$was_inactive', true] }] } } },
    { $unset: ['revoked_at', 'was_inactive'] },
  ]);
  await measureUsers(services, _id);
}
