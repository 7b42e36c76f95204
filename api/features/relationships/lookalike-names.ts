import type { Db } from 'mongodb';
import { createLookalikes, type LookalikeOf, nameWithNote } from '#shared/friends/lookalikes.ts';
import { skeletonsOf } from '#shared/normalization/name-skeleton.ts';
import { namesOf } from '../profile/names.ts';
import { friendIds } from './pairs-seen.ts';

/** Returns the check of names that a member is told, for texts that they read before their device can look: see decision 132. */
export const lookalikesFor = async (db: Db, userId: string): Promise<LookalikeOf> =>
  (await friendNames(db, userId)).lookalikeOf;

/** Returns the names of a member's friends, and that check. @param friends if their ids are known */
export async function friendNames(
  db: Db,
  userId: string,
  friends?: readonly string[],
): Promise<{ names: ReadonlyMap<string, string>; lookalikeOf: LookalikeOf }> {
  const ids = friends ?? (await friendIds(db, userId));
  const names = await namesOf(db, [...ids, userId]);
  const own = { user_id: userId, name: names.get(userId) ?? '' };
  names.delete(userId);
  return { names, lookalikeOf: createLookalikes(own, names, skeletonsOf) };
}

/** A person's name in a sentence, with a note if it looks like that of one of the reader's friends. */
export const noted = async (
  db: Db,
  reader: string,
  userId: string,
  name: string,
): Promise<string> => nameWithNote(name, (await lookalikesFor(db, reader))(userId, name));
