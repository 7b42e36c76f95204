import type { ServerEvent } from '#shared/events/contract.ts';
import type { WalkNotice } from '#shared/planned-walks/rules.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { namesOf } from '../profile/names.ts';
import { plannedWalks, type ParticipantEntry, type PlannedWalkRow } from './collections.ts';
import { readersOf } from './store.ts';

type Notifying = Pick<Services, 'db' | 'events' | 'push'>;
type Announced = NonNullable<Extract<ServerEvent, { type: 'planned_walk' }>['announced']>;

/** Has the devices of a user read the list again. It says nothing about the walk. */
const refresh = ({ events }: Pick<Services, 'events'>, userId: string): void =>
  events.send(userId, { type: 'planned_walk', announced: null });

const announce = (
  { events }: Pick<Services, 'events'>,
  { _id: id, starts_at }: PlannedWalkRow,
  userId: string,
  about: Omit<Announced, 'id' | 'starts_at'>,
): void =>
  events.send(userId, {
    type: 'planned_walk',
    announced: { id, starts_at: starts_at.toISOString(), ...about },
  });

const tagOf = ({ _id }: PlannedWalkRow): string => `planned-walk-${_id}`;

/**
 * Notifies the participants of a new, changed or canceled walk, and the organizer's other devices.
 * @param invitedBefore who knew of the walk before the change
 */
export async function notifyParticipants(
  services: Notifying,
  row: PlannedWalkRow,
  invitedBefore: readonly string[],
): Promise<void> {
  const { db, push } = services;
  refresh(services, row.organizer_user_id);
  const name = (await namesOf(db, [row.organizer_user_id])).get(row.organizer_user_id) ?? '';
  for (const { user_id } of await readersOf(db, row)) {
    const isNew = !invitedBefore.includes(user_id);
    const push_key = `planned-walk ${row._id} ${user_id} ${row.changed_at.getTime()}`;
    announce(services, row, user_id, {
      notice: isNew ? 'invited' : row.canceled_at ? 'canceled' : 'changed',
      user_id: row.organizer_user_id,
      name,
      push_key,
    });
    await push.notify({
      topic: isNew ? 'walk_invitation' : 'walk_change',
      user_id,
      subject: row._id,
      key: push_key,
      tag: tagOf(row),
    });
  }
}

/** Notifies the organizer of an answer, and the other devices of who gave it. */
export async function notifyOrganizer(
  services: Notifying,
  row: PlannedWalkRow,
  { user_id, answer, answered_at }: ParticipantEntry & { answer: WalkNotice },
): Promise<void> {
  refresh(services, user_id);
  const name = (await namesOf(services.db, [user_id])).get(user_id) ?? '';
  const push_key = `planned-walk-answer ${row._id} ${user_id} ${answered_at?.getTime()}`;
  announce(services, row, row.organizer_user_id, { notice: answer, user_id, name, push_key });
  await services.push.notify({
    topic: 'walk_answer',
    user_id: row.organizer_user_id,
    subject: `${row._id} ${user_id}`,
    key: push_key,
    tag: `planned-walk-answer-${row._id}-${user_id}`,
  });
}

/**
 * Has the devices of friends whom the organizer took off a walk read the list again. Former friends learn nothing.
 * @param before the walk as it was
 */
export async function refreshRemoved(
  services: Notifying,
  before: PlannedWalkRow,
  row: PlannedWalkRow,
): Promise<void> {
  const invited = new Set(row.participants.map(({ user_id }) => user_id));
  for (const { user_id } of await readersOf(services.db, before))
    if (!invited.has(user_id)) refresh(services, user_id);
}

/** Deletes a walk of a user, and has all devices that show it read the list again. May be repeated. */
export async function removePlannedWalk(
  services: Notifying,
  id: string,
  organizerUserId: string,
): Promise<void> {
  const row = await plannedWalks(services.db).findOneAndDelete({
    _id: id,
    organizer_user_id: organizerUserId,
  });
  if (!row) return;
  refresh(services, organizerUserId);
  for (const { user_id } of await readersOf(services.db, row)) refresh(services, user_id);
}

/**
 * Reminds the organizer and everyone who comes or may come, by a push and an event. The mark is set last: if this process ends
 * before that, the next run repeats the pushes under the same keys.
 */
export async function sendReminders(services: Notifying, now = new Date()): Promise<void> {
  const { db, push } = services;
  await forEachIsolated(plannedWalks(db).find({ remind_at: { $lte: now } }), async (row) => {
    const coming = (await readersOf(db, row)).filter(({ answer }) => answer && answer !== 'no');
    const people = [row.organizer_user_id, ...coming.map(({ user_id }) => user_id)];
    for (const user_id of row.canceled_at || row.starts_at <= now ? [] : people) {
      const push_key = `planned-walk-reminder ${row._id} ${user_id} ${row.remind_at?.getTime()}`;
      await push.notify({
        topic: 'walk_reminder',
        user_id,
        subject: row._id,
        key: push_key,
        tag: tagOf(row),
      });
      announce(services, row, user_id, { notice: 'reminder', name: '', push_key });
    }
    await plannedWalks(db).updateOne(
      { _id: row._id, remind_at: row.remind_at },
      { $unset: { remind_at: '' } },
    );
  });
}
