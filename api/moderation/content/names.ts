import { cards as cardRows } from '../../profile/collections.ts';
import { REFUSED_TEXTS } from '#shared/moderation/content.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import { shownName } from '#shared/profile/shown-names.ts';
import type { CardRow } from '#shared/server/collections.ts';
import type { Signals } from '#shared/server/signals.ts';
import { forEachIsolated } from '../../for-each-isolated.ts';
import { updateNameInContacts } from '../../friends/relationship-store.ts';
import type { Services } from '../../services.ts';
import { checkContent } from './content.ts';
import { issue } from '../sanctions.ts';
import { digestOf } from './notify-author.ts';

const SWEEP = 'unchecked names';
/** More names than anybody has at a time. */
const REMEMBERED_MAX = 200;
const BATCH = 200;

/** Hides a name of somebody or their dogs from others, until it is changed. May be repeated. */
export async function hideName(services: Services, userId: string, name: string): Promise<void> {
  await cardRows(services.db).updateOne({ _id: userId }, [
    {
      $set: {
        hidden_names: {
          $slice: [
            { $setUnion: [{ $ifNull: ['$hidden_names', []] }, [{ $literal: name }]] },
            -REMEMBERED_MAX,
          ],
        },
        allowed_names: {
          $setDifference: [{ $ifNull: ['$allowed_names', []] }, [{ $literal: name }]],
        },
      },
    },
  ]);
  await showAnew(services, userId);
}

/** Shows a name again, whatever the word rules say. May be repeated. */
export async function showName(services: Services, userId: string, name: string): Promise<void> {
  await cardRows(services.db).updateOne({ _id: userId }, [
    {
      $set: {
        hidden_names: {
          $setDifference: [{ $ifNull: ['$hidden_names', []] }, [{ $literal: name }]],
        },
        allowed_names: {
          $slice: [
            { $setUnion: [{ $ifNull: ['$allowed_names', []] }, [{ $literal: name }]] },
            -REMEMBERED_MAX,
          ],
        },
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
    measure: {
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
  const { onClose, sweep, sweepSoon, log, db } = services;
  const signals: Signals = services.signals;
  let running: Promise<void> | null = null;
  let isWanted = false;
  let isOver = false;

  async function run(): Promise<void> {
    try {
      do {
        isWanted = false;
        await forEachIsolated(
          unchecked(db, () => isOver),
          (card) => check(services, card),
        );
      } while (isWanted && !isOver);
    } finally {
      running = null;
    }
  }
  const look = (): Promise<void> => {
    isWanted = true;
    running ??= run();
    return running;
  };
  onClose(
    signals.listen((signal) => {
      if (signal !== 'lost' && signal.topic !== 'card') return;
      look().catch((err: unknown) => {
        log.warn({ err }, 'names could not be checked');
        sweepSoon(SWEEP);
      });
    }),
  );
  onClose(async () => {
    isOver = true;
    await running?.catch(() => {});
  });
  sweep(SWEEP, look);
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
