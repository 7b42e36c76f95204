import type { WalkLocation } from '#shared/locations/schemas.ts';
import {
  answerPlannedWalk,
  createPlannedWalk,
  listPlannedWalks,
} from '#shared/planned-walks/contract.ts';
import { reminderFor } from '#shared/planned-walks/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import type { LocationRow } from '../../api/features/locations/collections.ts';
import { placeOf } from '../../api/features/locations/store.ts';
import type { Visitor } from '../session/api-session.ts';
import type { Rows } from './rows.ts';
import { createRandom, uuidFor, type Random } from './seeded-random.ts';
import type { Street } from './user-cluster.ts';

/** Every third person plans a walk. */
const ORGANIZERS = 3;
const NOTES = ['We’ll take the long way round.', 'Bring water, it’s dry there.', ''];
const ANSWERS = ['yes', 'maybe', 'no', null] as const;
const DAYS_MAX = 5;

/** Chooses a full hour of the next days. */
function chooseStart(random: Random, now: number): Date {
  const day = new Date(now + random.integer(1, DAYS_MAX) * DAY_MS);
  return new Date(day.setUTCHours(random.integer(8, 18), 0, 0, 0));
}

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
    const starts_at = chooseStart(random, Date.now()).toISOString();
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

/**
 * Adds walks that people of a street plan with their friends, to the street's place. No one is notified.
 * @param threads of the friends of the street
 */
export function addPlannedWalks(
  street: Street,
  { place, threads }: { place: LocationRow; threads: readonly ThreadRow[] },
  rows: Rows,
): void {
  const random = street.random('planned walks');
  for (const [i, organizer] of street.people.entries()) {
    if (i % ORGANIZERS !== 0) continue;
    const friends = threads.flatMap(({ users }) =>
      users.includes(organizer.id) ? users.filter((user) => user !== organizer.id) : [],
    );
    const starts_at = chooseStart(random, street.now.getTime());
    const created_at = new Date(street.now.getTime() - random.integer(2, DAYS_MAX) * DAY_MS);
    const note = random.pick(NOTES);
    const participants = friends.map((user_id) => {
      const answer = random.pick(ANSWERS);
      return { user_id, answer, answered_at: answer && new Date(created_at.getTime() + DAY_MS) };
    });
    if (participants.length === 0) continue;
    const remindAt = reminderFor(starts_at.getTime(), street.now.getTime());
    rows.planned_walks.push({
      _id: street.id(`planned walk ${i}`),
      organizer_user_id: organizer.id,
      starts_at,
      place_name: place.name,
      location_id: place._id,
      place: placeOf(place),
      note,
      participants,
      canceled_at: null,
      created_at,
      changed_at: created_at,
      ...(remindAt !== null && { remind_at: new Date(remindAt) }),
    });
  }
}
