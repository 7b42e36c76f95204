import { shownCard } from '#shared/profile/shown-names.ts';
import type { CardRow } from '#shared/collections.ts';
import type { Signals } from '#shared/signals.ts';
import { blockedWith } from '../blocks/store.ts';
import type { Database } from '../database.ts';
import { coalesce } from './coalesce.ts';
import type { Person } from './live.ts';

/** What a report needs to know of somebody beside the position: the card and the blocks. */
export interface Sharer {
  isSharing: boolean;
  person: Person;
}

export interface Sharers {
  /** From memory as long as signals arrive; those who are asked for together share a round trip. */
  of(userId: string): Promise<Sharer>;
  /** Reads many at once, for a start. */
  read(userIds: string[]): Promise<Map<string, Sharer>>;
  /** What is remembered of somebody is no longer so. */
  forget(userId: string): void;
  forgetAll(): void;
}

/** What of a card a report needs: at a start everybody's are read. */
const CARD = {
  display_name: 1,
  is_location_sharing_enabled: 1,
  'dogs.name': 1,
  'dogs.sound_type': 1,
  'dogs.image_key': 1,
  hidden_names: 1,
} as const;

const NOBODY: ReadonlySet<string> = new Set();

/** Keeps cards and blocks in memory until a signal says that they changed. */
export function knowSharers(database: Database, signals: Signals): Sharers {
  const known = new Map<string, Sharer>();
  /** Counts what was forgotten: what was read before that may be old. */
  let forgotten = 0;

  async function read(userIds: string[]): Promise<Map<string, Sharer>> {
    const before = forgotten;
    const ids = [...new Set(userIds)];
    const [cards, blocked] = await Promise.all([
      database.cards.find({ _id: { $in: ids } }, { projection: CARD }).toArray(),
      blockedWith(database, ids),
    ]);
    const byId = new Map(cards.map((card) => [card._id, card]));
    const found = new Map(
      ids.map((id) => [id, sharerOf(id, byId.get(id), blocked.get(id) ?? NOBODY)]),
    );
    if (before === forgotten) for (const [id, sharer] of found) known.set(id, sharer);
    return found;
  }

  const readTogether = coalesce(read);

  return {
    async of(userId) {
      const sharer = signals.isFresh() ? known.get(userId) : undefined;
      if (sharer) return sharer;
      const found = (await readTogether(userId)).get(userId);
      return found ?? sharerOf(userId, undefined, NOBODY);
    },
    read,
    forget(userId) {
      forgotten += 1;
      known.delete(userId);
    },
    forgetAll() {
      forgotten += 1;
      known.clear();
    },
  };
}

const sharerOf = (
  userId: string,
  row: CardRow | undefined,
  blocked: ReadonlySet<string>,
): Sharer => {
  const card = row && shownCard(row);
  return {
    isSharing: card?.is_location_sharing_enabled ?? false,
    person: {
      user_id: userId,
      display_name: card?.display_name ?? '',
      dogs: (card?.dogs ?? []).map(({ name, sound_type, image_key }) => ({
        name,
        sound_type,
        image_key,
      })),
      blocked,
    },
  };
};
