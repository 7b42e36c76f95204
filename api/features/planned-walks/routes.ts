import type { Db } from 'mongodb';
import type { z } from 'zod';
import { HttpError } from '#shared/http/http-error.ts';
import {
  answerPlannedWalk,
  cancelPlannedWalk,
  createPlannedWalk,
  listPlannedWalks,
  updatePlannedWalk,
  type plannedWalkFields,
} from '#shared/planned-walks/contract.ts';
import { AHEAD_MAX, problemOfStart, reminderFor, STORED_MS } from '#shared/planned-walks/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { insertOnce } from '../../platform/database.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { findTogether } from '../../platform/read-together.ts';
import { deleteDue } from '../../platform/retention.ts';
import type { Api, Services } from '../../platform/services.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { locations } from '../locations/collections.ts';
import { plannedWalks, type ParticipantEntry, type PlannedWalkRow } from './collections.ts';
import { notifyOrganizer, notifyParticipants, refreshRemoved, sendReminders } from './notify.ts';
import { findInvitation, findOwn, friendsAmong, presentVisible } from './store.ts';

type Fields = z.output<typeof plannedWalkFields>;

const LISTED_MAX = 200;
const REMINDERS_EVERY_MS = MINUTE_MS / 2;

const invalid = (field: keyof Fields, message: string) =>
  new HttpError(400, message, { fields: { [field]: message } });

/** @throws HttpError 400 for a start that is over or too far ahead */
function assertStart(startsAt: Date): void {
  const problem = problemOfStart(startsAt.getTime(), Date.now());
  if (problem) throw invalid('starts_at', problem);
}

/** @throws HttpError 409 */
function assertAhead({ canceled_at, starts_at }: PlannedWalkRow): void {
  if (canceled_at) throw new HttpError(409, 'This walk was canceled');
  if (starts_at <= new Date()) throw new HttpError(409, 'This walk has already started');
}

/** Returns the id of a place that everyone may see; null for any other, whose name and pin are enough. */
async function publicPlace(db: Db, id: string | null | undefined): Promise<string | null> {
  if (!id) return null;
  const row = await locations(db).findOne(
    { _id: id, is_active: true, is_public: true, merged_into: null },
    { projection: { _id: 1 } },
  );
  return row?._id ?? null;
}

/** Checks what an organizer entered. Former friends are left out, because the call may have waited on the device. @throws HttpError */
async function checked(
  services: Services,
  { id, userId, body }: { id: string; userId: string; body: Fields },
) {
  const { db } = services;
  const startsAt = new Date(body.starts_at);
  assertStart(startsAt);
  const others = [...new Set(body.participant_ids)].filter((other) => other !== userId);
  const friends = await friendsAmong(db, userId, others);
  if (friends.length === 0) throw invalid('participant_ids', 'You can invite friends only');
  const { place_name, note } = body;
  await refuseContent(services, {
    user_id: userId,
    content_type: 'planned_walk',
    content_id: id,
    fields: { place_name, note },
  });
  const { latitude, longitude } = body;
  const remindAt = reminderFor(startsAt.getTime(), Date.now());
  return {
    friends,
    remind_at: remindAt === null ? undefined : new Date(remindAt),
    values: {
      starts_at: startsAt,
      place_name,
      location_id: await publicPlace(db, body.location_id),
      place: latitude == null || longitude == null ? null : { latitude, longitude },
      note,
    },
  };
}

/** Walks that members plan with friends. Decision 353. */
export function mountPlannedWalks(api: Api): void {
  const { services } = api;
  const { db, log } = services;
  const limitNew = services.limiter({ name: 'new-planned-walks', points: 10, seconds: 3_600 });
  const limitChanges = services.limiter({ name: 'planned-walks', points: 60, seconds: 3_600 });
  services.registerJob('planned walks', () =>
    deleteDue(plannedWalks(db), { starts_at: { $lt: new Date(Date.now() - STORED_MS) } }),
  );
  services.registerJob('reminders of planned walks', () => sendReminders(services), {
    everyMs: REMINDERS_EVERY_MS,
  });

  /** The change stands, also if no one can be notified of it. */
  const isolated = (work: Promise<unknown>) =>
    work.catch((err: unknown) => log.warn({ err }, 'could not notify of a planned walk'));

  serve(api, listPlannedWalks, async ({ caller: { user } }) => {
    const rows = await findTogether(db, plannedWalks(db), () => ({
      filter: {
        $or: [{ organizer_user_id: user._id }, { 'participants.user_id': user._id }],
        starts_at: { $gte: new Date(Date.now() - STORED_MS) },
      },
      sort: { starts_at: 1 },
      limit: LISTED_MAX,
    }));
    return { planned_walks: await presentVisible(db, rows, user._id) };
  });

  serve(api, createPlannedWalk, async ({ body, caller: { user } }) => {
    await limitNew(user._id);
    const ahead = await plannedWalks(db).countDocuments(
      { organizer_user_id: user._id, starts_at: { $gt: new Date() } },
      { limit: AHEAD_MAX },
    );
    if (ahead >= AHEAD_MAX)
      throw new HttpError(
        409,
        `You can plan ${AHEAD_MAX} walks at a time. Try again after one of them.`,
      );
    const { id } = body;
    const { friends, values, remind_at } = await checked(services, { id, userId: user._id, body });
    const at = new Date();
    const row: PlannedWalkRow = {
      _id: id,
      organizer_user_id: user._id,
      ...values,
      participants: friends.map((user_id) => ({ user_id, answer: null, answered_at: null })),
      canceled_at: null,
      created_at: at,
      changed_at: at,
      ...(remind_at && { remind_at }),
    };
    const stored = await insertOnce(plannedWalks(db), row);
    if (stored.organizer_user_id !== user._id) throw new HttpError(409, 'This id is taken');
    await isolated(notifyParticipants(services, stored, []));
    return {};
  });

  serve(api, updatePlannedWalk, async ({ params, body, caller: { user } }) => {
    await limitChanges(user._id);
    const before = await findOwn(db, params.id, user._id);
    assertAhead(before);
    const { friends, values, remind_at } = await checked(services, {
      id: before._id,
      userId: user._id,
      body,
    });
    // A reminder that was sent stays sent.
    const isMoved = before.starts_at.getTime() !== values.starts_at.getTime();
    const row = await plannedWalks(db).findOneAndUpdate(
      { _id: before._id, organizer_user_id: user._id, canceled_at: null },
      [
        withAnswers(friends, values.starts_at),
        { $set: { ...literals(values), changed_at: new Date() } },
        ...(isMoved ? [remind_at ? { $set: { remind_at } } : { $unset: 'remind_at' }] : []),
      ],
      { returnDocument: 'after' },
    );
    if (!row) throw new HttpError(409, 'This walk was canceled');
    const invitedBefore = before.participants.map(({ user_id }) => user_id);
    await isolated(notifyParticipants(services, row, invitedBefore));
    await isolated(refreshRemoved(services, before, row));
    return {};
  });

  serve(api, cancelPlannedWalk, async ({ params, caller: { user } }) => {
    await limitChanges(user._id);
    const before = await findOwn(db, params.id, user._id);
    if (before.canceled_at) return {};
    assertAhead(before);
    const at = new Date();
    const row = await plannedWalks(db).findOneAndUpdate(
      { _id: before._id, organizer_user_id: user._id, canceled_at: null },
      { $set: { canceled_at: at, changed_at: at }, $unset: { remind_at: '' } },
      { returnDocument: 'after' },
    );
    if (row)
      await isolated(
        notifyParticipants(
          services,
          row,
          row.participants.map(({ user_id }) => user_id),
        ),
      );
    return {};
  });

  serve(api, answerPlannedWalk, async ({ params, body, caller: { user }, madeAt }) => {
    await limitChanges(user._id);
    const before = await findInvitation(db, params.id, user._id);
    assertAhead(before);
    const starts_at = new Date(body.starts_at);
    const moved = () =>
      new HttpError(409, 'The walk was moved to another time. Please answer again.');
    if (before.starts_at.getTime() !== starts_at.getTime()) throw moved();
    const own = before.participants.find(({ user_id }) => user_id === user._id);
    // Another device of theirs answered later than this call was made.
    if (own?.answered_at && own.answered_at > madeAt) return {};
    const entry: ParticipantEntry = {
      user_id: user._id,
      answer: body.answer,
      answered_at: madeAt,
    };
    const row = await plannedWalks(db).findOneAndUpdate(
      { _id: before._id, starts_at, canceled_at: null, 'participants.user_id': user._id },
      { $set: { 'participants.$': entry } },
      { returnDocument: 'after' },
    );
    if (!row) throw moved();
    if (own?.answer !== body.answer)
      await isolated(notifyOrganizer(services, row, { ...entry, answer: body.answer }));
    return {};
  });
}

/** Values that MongoDB must not read as expressions: a text may begin with a dollar sign. */
const literals = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { $literal: value }]));

/**
 * The stage of an update that invites these friends, with their earlier answers if the time stays: answers are about a time. They are read
 * in the update, because one may arrive at this moment.
 */
function withAnswers(friends: readonly string[], starts_at: Date) {
  const keeps = { $eq: ['$starts_at', { $literal: starts_at }] };
  const entryOf = {
    $first: {
      $filter: { input: '$participants', cond: { $eq: ['$$this.user_id', '$$friend'] } },
    },
  };
  return {
    $set: {
      participants: {
        $map: {
          input: { $literal: friends },
          as: 'friend',
          in: {
            $let: {
              vars: { entry: entryOf },
              in: {
                user_id: '$$friend',
                answer: { $cond: [keeps, { $ifNull: ['$$entry.answer', null] }, null] },
                answered_at: {
                  $cond: [keeps, { $ifNull: ['$$entry.answered_at', null] }, null],
                },
              },
            },
          },
        },
      },
    },
  };
}
