import type { Db } from 'mongodb';
import { cutText } from '#shared/normalization/cut-text.ts';
import { DISPLAY_NAME_MAX } from '#shared/profile/rules.ts';
import { shownName } from '#shared/profile/shown-names.ts';
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
  const among = { _id: { $in: userIds } };
  const [people, shown] = await Promise.all([
    users(db)
      .find({ ...among, ...NOT_DELETED }, { projection: { given_name: 1 } })
      .toArray(),
    cards(db)
      .find(among, { projection: { display_name: 1, hidden_names: 1 } })
      .toArray(),
  ]);
  const names = new Map(
    shown.map((card) => [card._id, isForModerators ? card.display_name : shownName(card)]),
  );
  return new Map(
    people.map(({ _id, given_name }) => [
      _id,
      names.get(_id) || cutText(given_name, DISPLAY_NAME_MAX),
    ]),
  );
}
