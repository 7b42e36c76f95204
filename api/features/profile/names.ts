import type { Db } from 'mongodb';
import { cutText } from '#shared/normalization/cut-text.ts';
import { DISPLAY_NAME_MAX } from '#shared/profile/rules.ts';
import { shownName } from '#shared/profile/shown-names.ts';
import { oncePerDatabase, readTogether } from '../../platform/read-together.ts';
import { NOT_DELETED, users } from '../../platform/session/collections.ts';
import { cards } from './collections.ts';

/**
 * Returns each user’s display name, or else their name from sign-in.
 * @param options.isForModerators whether to include hidden names
 * @returns only existing users
 */
export async function namesOf(
  db: Db,
  userIds: string[],
  { isForModerators = false } = {},
): Promise<Map<string, string>> {
  const { userOf, cardOf } = namesIn(db);
  const named = await Promise.all(
    userIds.map(async (id) => {
      const [user, card] = await Promise.all([userOf(id), cardOf(id)]);
      if (!user) return [];
      const name = card && (isForModerators ? card.display_name : shownName(card));
      return [[id, name || cutText(user.given_name, DISPLAY_NAME_MAX)] as const];
    }),
  );
  return new Map(named.flat());
}

const namesIn = oncePerDatabase((db) => ({
  userOf: readTogether(db, users(db), () => NOT_DELETED, { given_name: 1 }),
  cardOf: readTogether(db, cards(db), undefined, { display_name: 1, hidden_names: 1 }),
}));
