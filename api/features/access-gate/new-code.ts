import type { Db } from 'mongodb';
import { newCode } from '#shared/access-gate/new-code.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { wordsOf } from '../../platform/admin/search.ts';
import { type AccessCodeRow, accessCodes } from './collections.ts';

const ATTEMPTS = 3;

/** Returns the row of a new access code, without uses. */
export const unusedCode = (
  fields: Omit<AccessCodeRow, 'current_uses' | 'is_active' | 'created_at' | 'words'>,
): AccessCodeRow => ({
  ...fields,
  current_uses: 0,
  is_active: true,
  created_at: new Date(),
  words: wordsOf(fields.code, fields.description),
});

/**
 * Stores an access code with random letters; tries others if they are taken.
 * @param rowWith returns the row with this code, always with the same id
 * @returns the stored row, or the one that an earlier call stored
 */
export async function insertWithNewCode(
  db: Db,
  rowWith: (code: string) => AccessCodeRow,
  attempts = ATTEMPTS,
): Promise<AccessCodeRow> {
  const row = rowWith(newCode());
  try {
    await accessCodes(db).insertOne(row);
    return row;
  } catch (error) {
    const made = isDuplicate(error) ? await accessCodes(db).findOne({ _id: row._id }) : null;
    if (made) return made;
    if (attempts === 1 || !isDuplicate(error)) throw error;
    return insertWithNewCode(db, rowWith, attempts - 1);
  }
}
