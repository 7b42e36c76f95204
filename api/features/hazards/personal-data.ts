import { fileStore } from '../../platform/files/store.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { placeOf } from '../locations/store.ts';
import { hazards } from './collections.ts';
import { photoOwner } from './store.ts';

/** Hazards that a user reported, with photos, and their votes and reports about others. */
export const hazardData = ({
  db,
  images,
}: Pick<Services, 'db' | 'images'>): PersonalDataHandler => ({
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
  async *files({ _id }) {
    for (const id of await hazards(db).distinct('_id', { creator_user_id: _id }))
      for await (const { key, bytes, open } of fileStore(db, 'images').listOf(photoOwner(id)))
        yield { path: `images/${key}.webp`, bytes, open };
  },
  async remove({ _id }) {
    for (const id of await hazards(db).distinct('_id', { creator_user_id: _id }))
      await images.removeAll(photoOwner(id));
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
