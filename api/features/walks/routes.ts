import type { Db } from 'mongodb';
import type { PublishedCard } from '#shared/friends/friend-card.ts';
import { shownCard } from '#shared/profile/shown-names.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { listRecentEncounters } from '#shared/walks/contract.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { cards } from '../profile/collections.ts';
import { namesOf } from '../profile/names.ts';
import { proximityEvents } from '../proximity/collections.ts';
import { dogsAlong } from '../proximity/engine/active-user.ts';
import { shownDogs } from '../proximity/storage/profile-cache.ts';
import { pairs } from '../relationships/collections.ts';
import { blockBy, earlierViewOf, otherOf, pairId } from '../relationships/relationship.ts';

/** The most people in an answer, the last ones met. */
const PEOPLE_MAX = 100;

/** Mounts the call that lists whom the caller met. Walks themselves stay on the device (decision 310). */
export function mountWalks(api: Api): void {
  const { db } = api.services;

  serve(api, listRecentEncounters, async ({ caller }) => {
    const callerId = caller.user._id;
    const met = await metSince(db, callerId, new Date(Date.now() - DAY_MS));
    if (met.size === 0) return { encounters: [] };
    const kept = await cardsBeforeBlock(db, callerId, [...met.keys()]);
    const people = [...met].filter(([id]) => kept.get(id) !== null).slice(0, PEOPLE_MAX);
    const ids = people.map(([id]) => id);
    const [names, rows] = await Promise.all([
      namesOf(db, ids),
      cards(db)
        .find({ _id: { $in: ids } }, { projection: { display_name: 1, dogs: 1, hidden_names: 1 } })
        .toArray(),
    ]);
    const cardOf = new Map(rows.map((row) => [row._id, shownCard(row)]));
    return {
      encounters: people.flatMap(([user_id, { at, dog_ids }]) => {
        const current = names.get(user_id);
        if (!current) return [];
        const card = kept.get(user_id) ?? cardOf.get(user_id);
        const dogs = shownDogs(card && { dogs: dogsAlong(card.dogs, dog_ids) });
        const display_name = kept.get(user_id)?.display_name ?? current;
        const met_at = new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS).toISOString();
        return [{ user_id, display_name, dogs, met_at }];
      }),
    };
  });
}

type KeptCard = Pick<PublishedCard, 'display_name' | 'dogs'>;

/**
 * Returns what a user is shown of people with a block between them: those who blocked the user as they were then, because
 * a person who disappears from this list would give the block away (decision 50). Nobody is met after a block.
 * @returns null for those who are left out
 */
async function cardsBeforeBlock(
  db: Db,
  userId: string,
  others: string[],
): Promise<Map<string, KeptCard | null>> {
  const ids = others.map((other) => pairId(userId, other));
  const rows = await pairs(db)
    .find({ _id: { $in: ids }, relationship: 'blocked' })
    .toArray();
  return new Map(
    rows.map((pair) => {
      const other = otherOf(pair, userId);
      const card = blockBy(pair, userId) ? undefined : blockBy(pair, other)?.card;
      if (!card) return [other, null];
      // The keys of pictures work until the user sees the end of a friendship.
      const areShown = earlierViewOf(pair, userId) !== undefined;
      const dogs = card.dogs.map((dog) => (areShown ? dog : { ...dog, image_key: null }));
      return [other, { display_name: card.display_name, dogs }];
    }),
  );
}

/** When somebody was met, in milliseconds, and the ids of the dogs that came along; rows of earlier versions lack them. */
interface Meeting {
  at: number;
  dog_ids?: string[] | null;
}

/** Returns whom a user met since a time, and when last; the last one first. */
async function metSince(db: Db, userId: string, since: Date): Promise<Map<string, Meeting>> {
  const lastOf = (own: 'sender_user_id' | 'receiver_user_id') => {
    const other = own === 'sender_user_id' ? 'receiver_user_id' : 'sender_user_id';
    return [
      { $match: { [own]: userId, triggered_at: { $gt: since } } },
      { $sort: { triggered_at: 1 } },
      {
        $group: {
          _id: `$${other}`,
          at: { $last: '$triggered_at' },
          dog_ids: { $last: `$${other.replace('user_id', 'dog_ids')}` },
        },
      },
    ];
  };
  const events = proximityEvents(db);
  const received = { coll: events.collectionName, pipeline: lastOf('receiver_user_id') };
  const found = await events
    .aggregate<{ _id: string; at: Date; dog_ids: string[] | null }>([
      ...lastOf('sender_user_id'),
      { $unionWith: received },
    ])
    .toArray();
  const last = new Map<string, Meeting>();
  for (const { _id, at, dog_ids } of found)
    if (at.getTime() > (last.get(_id)?.at ?? 0)) last.set(_id, { at: at.getTime(), dog_ids });
  return new Map([...last].toSorted(([, a], [, b]) => b.at - a.at));
}
