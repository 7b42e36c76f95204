import {
  getDogFriendlyIndex,
  getUserFriendlyIndex,
  type DogFriendlyIndex,
  type OwnerFriendlyIndex,
} from '#shared/friendly-index/contract.ts';
import { dayOf, lastMonday } from '#shared/friendly-index/scores.ts';
import { notFound } from '#shared/http/http-error.ts';
import { shownCard } from '#shared/profile/shown-names.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { cards } from '../profile/collections.ts';
import { deleteOldEncounters } from '../proximity/storage/encounter-store.ts';
import { pairs } from '../relationships/collections.ts';
import { storedCardOf, noticedBlockOf, pairId } from '../relationships/relationship.ts';
import { runAcquaintancesJob } from './acquaintances.ts';
import { rememberFacts } from './score-inputs.ts';
import { presentDog, presentOwner, type Subject } from './serialize.ts';

/** Limit of cards with the same dog id. */
const NAMESAKES_MAX = 10;

/** The friendly index of dogs and owners. */
export function mountFriendlyIndex(api: Api): void {
  const { services } = api;
  const { db } = services;
  const factsOf = rememberFacts(db);
  const looks = services.limiter({ name: 'friendly-index', points: 240, seconds: 60 });
  services.registerJob('acquaintances', async (isFirst) => {
    await runAcquaintancesJob(db, isFirst, (err) =>
      services.log.error({ err }, 'an encounter cannot be recorded'),
    );
    // Only now, after their days are recorded.
    await deleteOldEncounters(db);
  });

  /**
   * Returns the caller's own card and those that have a name and whose owners did not block the caller; a card as it was at the time of a
   * block that the caller doesn’t notice yet.
   */
  async function visible(found: CardRow[], caller: string): Promise<CardRow[]> {
    const ids = found.map(({ _id }) => pairId(_id, caller));
    const rows = await pairs(db)
      .find({ _id: { $in: ids }, relationship: 'blocked' })
      .toArray();
    const pairOf = new Map(rows.map((row) => [row._id, row]));
    return found.flatMap((card) => {
      const pair = pairOf.get(pairId(card._id, caller));
      // Right after the setup, the app asks before the name has arrived.
      const isNamed = card.display_name !== '' || card._id === caller;
      if (!isNamed || (pair && noticedBlockOf(pair, caller))) return [];
      return [{ ...card, ...(pair && storedCardOf(pair, caller)) }];
    });
  }

  /** @throws HttpError 404 with these words */
  async function subjectOf(
    card: CardRow | undefined,
    caller: string,
    what: 'User' | 'Dog',
  ): Promise<Subject> {
    const user = card && (await findUser(db, card._id));
    if (!card || !user) throw notFound(what);
    const isOwn = card._id === caller;
    return {
      card: isOwn ? card : shownCard(card),
      facts: await factsOf(card._id),
      joined: dayOf(user.created_at),
      today: isOwn ? dayOf(Date.now()) : lastMonday(dayOf(Date.now())),
      isOwn,
    };
  }

  serve(api, getUserFriendlyIndex, async ({ params, caller }): Promise<OwnerFriendlyIndex> => {
    const own = caller.user._id;
    await looks(own);
    const found = await cards(db).find({ _id: params.id }).toArray();
    const [card] = await visible(found, own);
    return presentOwner(await subjectOf(card, own, 'User'));
  });

  serve(api, getDogFriendlyIndex, async ({ params, query, caller }): Promise<DogFriendlyIndex> => {
    const own = caller.user._id;
    await looks(own);
    const whose = query.owner_user_id === undefined ? {} : { _id: query.owner_user_id };
    const found = await cards(db)
      .find({ ...whose, 'dogs.id': params.id })
      .limit(NAMESAKES_MAX)
      .toArray();
    const candidates = await visible(found, own);
    const card = candidates.length > 1 ? candidates.find(({ _id }) => _id === own) : candidates[0];
    const subject = await subjectOf(card, own, 'Dog');
    const dog = subject.card.dogs.find(({ id }) => id === params.id);
    if (!dog) throw notFound('Dog');
    return presentDog(subject, dog);
  });
}
