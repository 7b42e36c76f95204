import type { Db } from 'mongodb';
import { placeOf } from '../locations/store.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import { hazards } from './collections.ts';

/** Hazards that a user reported, and their votes and reports about others. */
export const hazardData = (db: Db): PersonalDataHandler => ({
  name: 'hazards',
  async export({ _id }) {
    const [own, confirmed, denied, reported] = await Promise.all([
      hazards(db).find({ creator_user_id: _id }).sort({ reported_at: 1 }).toArray(),
      hazards(db).distinct('_id', { confirmed_user_ids: _id }),
      hazards(db).distinct('_id', { denied_user_ids: _id }),
      hazards(db).distinct('_id', { reported_user_ids: _id }),
    ]);
    return {
      hazards: own.map((row) => ({
        id: row._id,
        kind: row.kind,
        description: row.description,
        dog_name: row.dog_name,
        contact: row.contact,
        image_key: row.image_key,
        ...placeOf(row),
        reported_at: row.reported_at,
        expires_at: row.expires_at,
      })),
      confirmed_hazard_ids: confirmed,
      denied_hazard_ids: denied,
      reported_hazard_ids: reported,
    };
  },
  async remove({ _id }) {
    await hazards(db).deleteMany({ creator_user_id: _id });
    for (const field of [
      'confirmed_user_ids',
      'denied_user_ids',
      'reported_user_ids',
      'nearby_user_ids',
    ] as const)
      await hazards(db).updateMany({ [field]: _id }, { $pull: { [field]: _id } });
  },
});
