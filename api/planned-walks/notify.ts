import type { ServerEvent } from '#shared/events/contract.ts';
import type { WalkNotice } from '#shared/planned-walks/rules.ts';
import { forEachIsolated } from '../for-each-isolated.ts';
import { namesOf } from '../profile/names.ts';
import type { Services } from '../services.ts';
import { plannedWalks, type ParticipantEntry, type PlannedWalkRow } from './collections.ts';
import { readersOf } from './store.ts';

type Notifying = Pick<Services, 'db' | 'events' | 'push'>;
type Announced = Extract<ServerEvent, { type: 'planned_walk' }>['notice'];

const send = (
  { events }: Pick<Services, 'events'>,
  row: PlannedWalkRow,
  userId: string,
  notice: Announced,
  name = '',
): void =>
  events.send(userId, {
    type: 'planned_walk',
    id: row._id,
    notice,
    name,
    starts_at: row.starts_at.toISOString(),
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
  send(services, row, row.organizer_user_id, null);
  const name = (await namesOf(db, [row.organizer_user_id])).get(row.organizer_user_id) ?? '';
  for (const { user_id } of await readersOf(db, row)) {
    const isNew = !invitedBefore.includes(user_id);
    send(
      services,
      row,
      user_id,
      isNew ? 'invited' : row.canceled_at ? 'canceled' : 'changed',
      name,
    );
    await push.notify({
      topic: isNew ? 'walk_invitation' : 'walk_change',
      user_id,
      subject: row._id,
      key: `planned-walk ${row._id} ${user_id} ${row.changed_at.getTime()}`,
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
  send(services, row, user_id, null);
  const name = (await namesOf(services.db, [user_id])).get(user_id) ?? '';
  send(services, row, row.organizer_user_id, answer, name);
  await services.push.notify({
    topic: 'walk_answer',
    user_id: row.organizer_user_id,
    subject: `${row._id} ${user_id}`,
    key: `planned-walk-answer ${row._id} ${user_id} ${answered_at?.getTime()}`,
    tag: `planned-walk-answer-${row._id}-${user_id}`,
  });
}

/** Has devices read the list again: of those who were taken off a walk. */
export function refreshFor(services: Notifying, row: PlannedWalkRow, userIds: readonly string[]) {
  for (const userId of userIds) send(services, row, userId, null);
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
      await push.notify({
        topic: 'walk_reminder',
        user_id,
        subject: row._id,
        key: `planned-walk-reminder ${row._id} ${user_id} ${row.remind_at?.getTime()}`,
        tag: tagOf(row),
      });
      send(services, row, user_id, 'reminder');
    }
    await plannedWalks(db).updateOne(
      { _id: row._id, remind_at: row.remind_at },
      { $unset: { remind_at: '' } },
    );
  });
}
