import { randomInt } from 'node:crypto';
import type { Db } from 'mongodb';
import { INVITATION_CODE_ALPHABET, INVITATION_CODE_LENGTH } from '#shared/invitations/rules.ts';
import { mayPass } from '#shared/server/collections.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { findUser } from '../../platform/session/collections.ts';
import { endAdmission } from '../referrals/admission.ts';
import { pairs } from '../relationships/collections.ts';
import { noticedBlockOf, pairId } from '../relationships/relationship.ts';
import { type SearchInvitationRow, searchInvitations } from './collections.ts';

const ATTEMPTS = 5;

/** Uniformly random: `randomInt` has no bias. */
const makeCode = (): string =>
  Array.from({ length: INVITATION_CODE_LENGTH }, () =>
    INVITATION_CODE_ALPHABET.charAt(randomInt(INVITATION_CODE_ALPHABET.length)),
  ).join('');

/**
 * Stores an invitation with a unique code.
 * @returns the stored row; for a repeated call, the row of the first call
 */
export async function storeInvitation(
  db: Db,
  withCode: (code: string) => SearchInvitationRow,
): Promise<SearchInvitationRow> {
  for (let attempt = 1; ; attempt++) {
    const row = withCode(makeCode());
    try {
      await searchInvitations(db).insertOne(row);
      return row;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const stored = await searchInvitations(db).findOne({ _id: row._id });
      if (stored) return stored;
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Redeems a code for searching. It belongs to the user from the first search on, until it expires, and lets nobody new in then.
 * @param onFirstUse called with the invitation when this search is its first
 * @returns who made it; 'own' for a code that the user created, 'unknown' for every other invalid code
 */
export async function redeemSearchCode(
  db: Db,
  code: string,
  userId: string,
  onFirstUse: (row: SearchInvitationRow) => Promise<void>,
): Promise<{ inviterId: string } | 'own' | 'unknown'> {
  const now = new Date();
  const row = await searchInvitations(db).findOne({ code });
  if (!row || row.expires_at <= now) return 'unknown';
  if (row.inviter_user_id === userId) return 'own';
  if (row.used_at && row.used_by_user_id !== userId) return 'unknown';
  const [inviter, pair] = await Promise.all([
    findUser(db, row.inviter_user_id),
    pairs(db).findOne({ _id: pairId(row.inviter_user_id, userId) }),
  ]);
  if (!inviter || !mayPass(inviter, now)) return 'unknown';
  if (pair && noticedBlockOf(pair, userId)) return 'unknown';
  const { inviter_user_id: inviterId } = row;
  if (row.used_at) return { inviterId };
  // It is for one person: before it is marked as used, so that a crash leaves no access code behind.
  await endAdmission(db, row._id);
  const used = await searchInvitations(db).findOneAndUpdate(
    { _id: row._id, $or: [{ used_at: null }, { used_by_user_id: userId }] },
    { $set: { used_by_user_id: userId, used_at: now }, $unset: { is_projected: '' } },
    { returnDocument: 'after' },
  );
  if (used) await onFirstUse(used);
  return used ? { inviterId } : 'unknown';
}
