import type { Db } from 'mongodb';
import { shownCard } from '#shared/profile/shown-names.ts';
import { batchCalls, READ_HOLDS_UP_MS } from '#shared/server/batches.ts';
import type { CardRow } from '#shared/server/collections.ts';
import type { Signals } from '#shared/server/signals.ts';
import { blockedWith } from '../../blocks/store.ts';
import { cards as cardRows } from '../../profile/collections.ts';
import type { Person } from '../engine/active-user.ts';

/** The data of a user that a report needs besides the position: from the card and the blocks. */
export interface Profile {
  isSharing: boolean;
  person: Person;
}

export interface ProfileCache {
  /** Returns a user's profile, cached while signals arrive; concurrent calls share a round trip. */
  of(userId: string): Promise<Profile>;
  /** Reads many profiles at once, after a start. */
  read(userIds: string[]): Promise<Map<string, Profile>>;
  invalidate(userId: string): void;
  invalidateAll(): void;
}

/** The fields of a card that a report needs. Few, because a start reads all cards. */
const CARD = {
  display_name: 1,
  is_location_sharing_enabled: 1,
  'dogs.id': 1,
  'dogs.name': 1,
  'dogs.sound_type': 1,
  'dogs.image_key': 1,
  'dogs.size': 1,
  'dogs.coat': 1,
  'dogs.notes': 1,
  hidden_names: 1,
} as const;

const NONE: ReadonlySet<string> = new Set();

/** Creates the cache of profiles, which are valid until a signal says that they changed. */
export function createProfileCache(db: Db, signals: Signals): ProfileCache {
  const cached = new Map<string, Profile>();
  /** Counts invalidations: what was read before one may be outdated. */
  let invalidations = 0;

  async function read(userIds: string[]): Promise<Map<string, Profile>> {
    const before = invalidations;
    const ids = [...new Set(userIds)];
    const [cards, blocked] = await Promise.all([
      cardRows(db)
        .find({ _id: { $in: ids } }, { projection: CARD })
        .toArray(),
      blockedWith(db, ids),
    ]);
    const byId = new Map(cards.map((card) => [card._id, card]));
    const found = new Map(
      ids.map((id) => [id, toProfile(id, byId.get(id), blocked.get(id) ?? NONE)]),
    );
    if (before === invalidations) for (const [id, profile] of found) cached.set(id, profile);
    return found;
  }

  const readTogether = batchCalls(read, { holdsUpMs: READ_HOLDS_UP_MS });

  return {
    async of(userId) {
      const profile = signals.isFresh() ? cached.get(userId) : undefined;
      if (profile) return profile;
      const found = (await readTogether(userId)).get(userId);
      return found ?? toProfile(userId, undefined, NONE);
    },
    read,
    invalidate(userId) {
      invalidations += 1;
      cached.delete(userId);
    },
    invalidateAll() {
      invalidations += 1;
      cached.clear();
    },
  };
}

/** Returns the fields of a user's dogs that others see when they meet. */
export const shownDogs = (card: Pick<CardRow, 'dogs'> | undefined): Person['dogs'] =>
  (card?.dogs ?? []).map(({ name, sound_type, image_key, size, coat, notes }) => ({
    name,
    sound_type,
    image_key,
    ...(size && { size }),
    ...(coat && { coat }),
    ...(notes && notes.length > 0 && { notes }),
  }));

function toProfile(
  userId: string,
  row: CardRow | undefined,
  blocked: ReadonlySet<string>,
): Profile {
  const card = row && shownCard(row);
  return {
    isSharing: card?.is_location_sharing_enabled ?? false,
    person: {
      user_id: userId,
      display_name: card?.display_name ?? '',
      dogs: shownDogs(card),
      dog_ids: card?.dogs.map(({ id }) => id) ?? [],
      blocked,
    },
  };
}
