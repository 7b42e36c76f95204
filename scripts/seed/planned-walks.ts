import {
  answerPlannedWalk,
  createPlannedWalk,
  listPlannedWalks,
} from '#shared/planned-walks/contract.ts';
import type { WalkLocation } from '#shared/locations/schemas.ts';
import { DAY_MS } from '#shared/time.ts';
import type { Visitor } from '../cli/api-session.ts';
import { createRandom, uuidFor } from './seeded-random.ts';

/** Every third person plans a walk. */
const ORGANIZERS = 3;
const NOTES = ['We’ll take the long way round.', 'Bring water, it’s dry there.', ''];
const ANSWERS = ['yes', 'maybe', 'no', null] as const;
const DAYS_MAX = 5;

/**
 * Plans walks of the next days with friends, some of whom answer. Walks of an earlier run that are still listed stay as they are.
 * @returns how many were planned
 */
export async function planWalks({
  seed,
  people,
  friendships,
  places,
  retry,
}: {
  seed: number;
  people: readonly Visitor[];
  friendships: readonly (readonly [Visitor, Visitor])[];
  places: readonly WalkLocation[];
  /** Repeats a call while it is rate limited. */
  retry: <A>(call: () => Promise<A>) => Promise<A>;
}): Promise<number> {
  const random = createRandom(seed, 'planned walks');
  let planned = 0;
  for (const [i, organizer] of people.entries()) {
    if (i % ORGANIZERS !== 0) continue;
    const friends = friendships
      .filter((pair) => pair.includes(organizer))
      .map(([one, other]) => (one === organizer ? other : one));
    const place = random.pick(places);
    const day = new Date(Date.now() + random.integer(1, DAYS_MAX) * DAY_MS);
    const starts_at = new Date(day.setUTCHours(random.integer(8, 18), 0, 0, 0)).toISOString();
    const note = random.pick(NOTES);
    const answers = friends.map((friend) => ({ friend, answer: random.pick(ANSWERS) }));
    const id = uuidFor(seed, `planned walk ${i}`);
    const { planned_walks } = await retry(() => organizer.call(listPlannedWalks));
    if (friends.length === 0 || planned_walks.some((walk) => walk.id === id)) continue;
    const body = {
      id,
      starts_at,
      place_name: place.name,
      location_id: place.id,
      latitude: place.latitude,
      longitude: place.longitude,
      note,
      participant_ids: friends.map(({ user }) => user.id),
    };
    await retry(() => organizer.call(createPlannedWalk, { body }));
    for (const { friend, answer } of answers)
      if (answer)
        await retry(() =>
          friend.call(answerPlannedWalk, { params: { id }, body: { answer, starts_at } }),
        );
    planned++;
  }
  return planned;
}
