import { cards as cardRows } from '../../profile/collections.ts';
import { REFUSED_TEXTS } from '#shared/moderation/content.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import { shownName } from '#shared/profile/shown-names.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { forEachIsolated } from '../../for-each-isolated.ts';
import { updateNameInContacts } from '../../friends/relationship-store.ts';
import type { Services } from '../../services.ts';
import { checkOnSignal } from './check-on-signal.ts';
import { checkContent } from './content.ts';
import { issue } from '../sanctions.ts';
import { digestOf } from './notify-author.ts';

/** More names than anybody has at a time. */
const REMEMBERED_MAX = 200;
const BATCH = 200;

/** Hides a name of somebody or their dogs from others, until it is changed. May be repeated. */
export const hideName = (services: Services, userId: string, name: string): Promise<void> =>
  moveName(services, userId, name, 'allowed_names', 'hidden_names');

/** Shows a name again, whatever the word rules say. May be repeated. */
export const showName = (services: Services, userId: string, name: string): Promise<void> =>
  moveName(services, userId, name, 'hidden_names', 'allowed_names');

type NameList = 'hidden_names' | 'allowed_names';

async function moveName(
  services: Services,
  userId: string,
  name: string,
  from: NameList,
  to: NameList,
): Promise<void> {
  const listed = (list: NameList) => ({ $ifNull: [`$${list}`, []] });
  const names = [{ $literal: name }];
  await cardRows(services.db).updateOne({ _id: userId }, [
    {
      $set: {
        [to]: { $slice: [{ $setUnion: [listed(to), names] }, -REMEMBERED_MAX] },
        [from]: { $setDifference: [listed(from), names] },
      },
    },
  ]);
  await showAnew(services, userId);
}

/** Has everything that shows somebody's names to others follow. */
async function showAnew(services: Services, userId: string): Promise<void> {
  const card = await cardRows(services.db).findOne({ _id: userId });
  if (!card) return;
  const { display_name } = card;
  const name_words = nameWords(shownName(card));
  await cardRows(services.db).updateOne({ _id: userId, display_name }, { $set: { name_words } });
  await services.signals.send('card', userId);
  await services.documents.publishCard(userId);
  await updateNameInContacts(services, userId);
}

/** Tells the owner of a name that others do not see. May be repeated. */
export async function notifyNameIsHidden(
  services: Services,
  userId: string,
  name: string,
): Promise<void> {
  await issue(services, {
    id: `name ${userId} ${digestOf(name)}`,
    user_id: userId,
    sanction: {
      warning_type: 'warning',
      severity: 'minor',
      reason: `Others don’t see the name “${name}” until you change it. ${REFUSED_TEXTS.display_name}`,
      law_enforcement_notice: false,
    },
    admin_user_id: null,
    report_id: null,
  });
}

/** Applies the word rules to names that came from devices, after the sync server has written them. */
export function watchNames(services: Services): void {
  checkOnSignal(services, { name: 'unchecked names', topic: 'card' }, (isOver) =>
    forEachIsolated(unchecked(services.db, isOver), (card) => check(services, card)),
  );
}

async function* unchecked(db: Services['db'], isOver: () => boolean): AsyncGenerator<CardRow> {
  for (let last: string | undefined; ;) {
    const rows: CardRow[] = await cardRows(db)
      .find({ is_checked: false, ...(last !== undefined && { _id: { $gt: last } }) })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    for (const row of rows) {
      if (isOver()) return;
      yield row;
    }
    last = rows.at(-1)?._id;
    if (rows.length < BATCH) return;
  }
}

/** May be repeated. */
async function check(services: Services, card: CardRow): Promise<void> {
  const { _id, display_name, dogs, hidden_names = [], allowed_names = [], updated_at } = card;
  const known = new Set([...hidden_names, ...allowed_names]);
  const about = { user_id: _id, refused: 'hidden' as const };
  for (const name of new Set([display_name, ...dogs.map((dog) => dog.name)])) {
    if (known.has(name)) continue;
    const dog = dogs.find((each) => each.name === name);
    const { outcome } = await checkContent(
      services,
      name === display_name
        ? { ...about, content_type: 'display_name', content_id: null, fields: { name } }
        : { ...about, content_type: 'dog_name', content_id: dog?.id ?? null, fields: { name } },
    );
    if (outcome !== 'refuse') continue;
    await hideName(services, _id, name);
    await notifyNameIsHidden(services, _id, name);
  }
  // Only as it was read: a name that came meanwhile is checked, too.
  await cardRows(services.db).updateOne({ _id, updated_at }, { $set: { is_checked: true } });
}
