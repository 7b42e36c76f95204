import type { Db, Filter } from 'mongodb';
import { nameWords } from '#shared/invitations/rules.ts';
import { PEOPLE_MAX } from '#shared/moderation/people-contract.ts';
import { plainAddress } from '#shared/normalization/email-address.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { prefixRange } from '../../platform/admin/search.ts';
import { NOT_DELETED, users } from '../../platform/session/collections.ts';
import { cards } from '../profile/collections.ts';

async function idsByName(db: Db, search: string): Promise<string[]> {
  const words = nameWords(search);
  if (words.length === 0) return [];
  const rows = await cards(db)
    .find(
      { $and: words.map((word) => ({ name_words: { $elemMatch: prefixRange(word) } })) },
      { projection: { _id: 1 } },
    )
    .limit(PEOPLE_MAX + 1)
    .toArray();
  return rows.map(({ _id }) => _id);
}

/**
 * Finds people by the beginning of their email address, by their whole id, or by the beginnings of the words of their names.
 * Names and email addresses are in different collections, so a search has no pages.
 * @returns one more than PEOPLE_MAX at least, if there are more
 */
export async function searchPeople(
  db: Db,
  text: string,
  filter: Filter<UserRow> = NOT_DELETED,
): Promise<UserRow[]> {
  const most = { limit: PEOPLE_MAX + 1 };
  const ids = [text, ...(await idsByName(db, text))];
  const [byId, byEmail] = await Promise.all([
    users(db)
      .find({ ...filter, _id: { $in: ids } }, most)
      .toArray(),
    users(db)
      .find({ ...filter, email: prefixRange(plainAddress(text)) }, most)
      .toArray(),
  ]);
  const found = new Map([...byId, ...byEmail].map((user) => [user._id, user]));
  return [...found.values()];
}

/** The ids of the people that a list is searched for, and the text itself, which may be another id. */
export const idsOfSearch = async (db: Db, text: string): Promise<string[]> => [
  text,
  ...(await searchPeople(db, text)).map(({ _id }) => _id),
];
