import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { plannedWalks, type PlannedWalkRow } from './collections.ts';

const fieldsOf = ({ _id, starts_at, place_name, place, note, canceled_at }: PlannedWalkRow) => ({
  id: _id,
  starts_at,
  place_name,
  place,
  note,
  canceled_at,
});

/** Walks that a user planned, and their answers to invitations. */
export const plannedWalkData = ({ db }: Pick<Services, 'db'>): PersonalDataHandler => ({
  name: 'planned-walks',
  async export({ _id }) {
    const own = await plannedWalks(db)
      .find({ organizer_user_id: _id })
      .sort({ starts_at: 1 })
      .toArray();
    const invited = await plannedWalks(db)
      .find({ 'participants.user_id': _id })
      .sort({ starts_at: 1 })
      .toArray();
    return {
      organized: own.map((row) => ({
        ...fieldsOf(row),
        created_at: row.created_at,
        invited_user_ids: row.participants.map(({ user_id }) => user_id),
      })),
      // Not where and when: the organizer may not be a friend any more.
      answers: invited.flatMap((row) =>
        row.participants
          .filter(({ user_id }) => user_id === _id)
          .map(({ answer, answered_at }) => ({ planned_walk_id: row._id, answer, answered_at })),
      ),
    };
  },
  async remove({ _id }) {
    await plannedWalks(db).deleteMany({ organizer_user_id: _id });
    await plannedWalks(db).updateMany(
      { 'participants.user_id': _id },
      { $pull: { participants: { user_id: _id } } },
    );
  },
});
