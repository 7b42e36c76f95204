import { nameWords } from '#shared/invitations/rules.ts';
import { REFUSED_TEXTS } from '#shared/moderation/content.ts';
import { isReservedName, RESERVED_NAME } from '#shared/profile/reserved-names.ts';
import { shownName } from '#shared/profile/shown-names.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { hashText } from '../../../platform/hash.ts';
import type { Services } from '../../../platform/services.ts';
import { checkContent, isRefusedAsReserved } from '../../content-rules/refuse-content.ts';
import { updateNameInContacts } from '../../friends/relationship-store.ts';
import { cards as cardRows } from '../../profile/collections.ts';
import { issueNotice } from '../sanctions.ts';
import { checkOnSignal } from './check-on-signal.ts';

/** More names than anyone uses at a time. */
const REMEMBERED_MAX = 200;
const BATCH = 200;
/** How long names are gathered after a check, so that batches grow with the load. */
const GATHER_MS = 200;

/** Hides a name of a user or their dogs from others until it is changed. May be repeated. */
export const hideName = (services: Services, userId: string, name: string): Promise<void> =>
  moveName(services, userId, name, { from: 'allowed_names', to: 'hidden_names' });

/** Shows a name again and exempts it from the word rules. May be repeated. */
export const showName = (services: Services, userId: string, name: string): Promise<void> =>
  moveName(services, userId, name, { from: 'hidden_names', to: 'allowed_names' });

type NameList = 'hidden_names' | 'allowed_names';

async function moveName(
  services: Services,
  userId: string,
  name: string,
  { from, to }: { from: NameList; to: NameList },
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
  await publishNames(services, userId);
}

/** Updates everything that shows a user’s names to others. */
async function publishNames(services: Services, userId: string): Promise<void> {
  const card = await cardRows(services.db).findOne({ _id: userId });
  if (!card) return;
  const { display_name } = card;
  const name_words = nameWords(shownName(card));
  await cardRows(services.db).updateOne({ _id: userId, display_name }, { $set: { name_words } });
  await services.signals.send('card', userId);
  await services.documents.publishCard(userId);
  await updateNameInContacts(services, userId);
}

/**
 * Notifies the owner of a hidden name. May be repeated.
 * @param decided_by the moderator who hid it; null for the servers
 */
export async function notifyNameIsHidden(
  services: Services,
  userId: string,
  name: string,
  decided_by: string | null,
): Promise<void> {
  const card = await cardRows(services.db).findOne({ _id: userId }, { projection: { about: 1 } });
  const reason =
    name === card?.about
      ? `Others don’t see the line about you (“${name}”) until you change it. ${REFUSED_TEXTS.about}`
      : `Others don’t see the name “${name}” until you change it. ${isReservedName(name, services.env.PRODUCT_NAME) ? RESERVED_NAME : REFUSED_TEXTS.display_name}`;
  const id = `name ${userId} ${hashText(name, 12)}`;
  await issueNotice(services, id, { user_id: userId, reason, decided_by });
}

/** Applies the word rules and the reserved names to names from devices, after the sync server has stored them. */
export function watchNames(services: Services): void {
  checkOnSignal(
    services,
    { name: 'unchecked names', topic: 'card', pauseMs: GATHER_MS },
    (isOver) => checkAll(services, isOver),
  );
}

async function checkAll(services: Services, isOver: () => boolean): Promise<void> {
  const rows = cardRows(services.db);
  let checked: CardRow[] = [];
  const note = async () => {
    const updates = checked.map(({ _id, updated_at, display_name }) => ({
      updateOne: {
        // Only if unchanged: a newer name is checked, too.
        filter: { _id, updated_at },
        update: { $set: { is_checked: true, checked_name: display_name } },
      },
    }));
    checked = [];
    if (updates.length > 0) await rows.bulkWrite(updates, { ordered: false });
  };
  try {
    await forEachIsolated(rows.find({ is_checked: false }).batchSize(BATCH), async (card) => {
      if (isOver()) return;
      await check(services, card);
      checked.push(card);
      if (checked.length === BATCH) await note();
    });
  } finally {
    await note();
  }
}

/** May be repeated. */
async function check(services: Services, card: CardRow): Promise<void> {
  const {
    _id,
    display_name,
    about,
    dogs,
    hidden_names = [],
    allowed_names = [],
    checked_name,
  } = card;
  const known = new Set([...hidden_names, ...allowed_names]);
  const source = { user_id: _id, refused: 'hidden' as const };
  const written = dogs.flatMap(({ name, breed }) => (breed ? [name, breed] : [name]));
  for (const name of new Set([display_name, ...(about ? [about] : []), ...written])) {
    if (known.has(name)) continue;
    const dog = dogs.find((each) => each.name === name || each.breed === name);
    const { outcome } = await checkContent(
      services,
      dog && name !== display_name
        ? { ...source, content_type: 'dog_name', content_id: dog.id, fields: { name } }
        : {
            ...source,
            content_type: name === display_name ? 'display_name' : 'about',
            content_id: null,
            fields: { name },
          },
    );
    if (outcome !== 'refuse') continue;
    await hideName(services, _id, name);
    await notifyNameIsHidden(services, _id, name, null);
  }
  if (
    !known.has(display_name) &&
    (await isRefusedAsReserved(services, _id, display_name, checked_name))
  ) {
    await hideName(services, _id, display_name);
    await notifyNameIsHidden(services, _id, display_name, null);
  }
}
