import { notFound } from '#shared/http/http-error.ts';
import type { AnswerPhrase } from '#shared/proximity/contract.ts';
import type { EventStreams } from '../../platform/events/event-streams.ts';
import type { EncounterStore } from './storage/encounter-store.ts';
import type { PositionStore } from './storage/position-store.ts';
import type { ProfileCache } from './storage/profile-cache.ts';

/**
 * Returns the step that tells somebody the caller's answer to an encounter: only while both share a position by name, and no block is
 * between them. Otherwise it looks as if there had been no encounter. Decision 295.
 */
export function createAnswers({
  positions,
  profiles,
  encounters,
  events,
}: {
  positions: Pick<PositionStore, 'ofUsers'>;
  profiles: Pick<ProfileCache, 'of'>;
  encounters: Pick<EncounterStore, 'answer'>;
  events: Pick<EventStreams, 'send'>;
}) {
  /** @throws HttpError 404 */
  return async (
    userId: string,
    { user_id: otherId, phrase }: { user_id: string; phrase: AnswerPhrase },
  ): Promise<void> => {
    const [shared, own, other] = await Promise.all([
      positions.ofUsers([userId, otherId]),
      profiles.of(userId),
      profiles.of(otherId),
    ]);
    const areNamed = shared.length === 2 && !shared.some(({ is_nameless }) => is_nameless);
    const areBlocked = own.person.blocked.has(otherId) || other.person.blocked.has(userId);
    if (!areNamed || areBlocked) throw notFound('Person');
    const outcome = await encounters.answer(userId, otherId, phrase);
    if (outcome === 'no encounter') throw notFound('Person');
    if (outcome === 'stored') events.send(otherId, { type: 'answer', user_id: userId, phrase });
  };
}
