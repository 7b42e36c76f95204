import type { Db } from 'mongodb';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { deleteLocationPhoto, uploadLocationPhoto } from '#shared/locations/photo-contract.ts';
import { PHOTOS_EACH_MAX, PHOTOS_SHOWN } from '#shared/locations/rules.ts';
import { type LocationPhoto } from '#shared/locations/schemas.ts';
import { dayTime } from '#shared/rounded-time.ts';
import { insertOnce } from '../../platform/database.ts';
import { serve, serveAdmitted } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { namesOf } from '../profile/names.ts';
import { locationPhotos, type LocationPhotoRow } from './collections.ts';
import { confirmPlace } from './remove-location.ts';
import { findVisible } from './store.ts';

const present = (
  { _id, creator_user_id, image_key, created_at }: LocationPhotoRow,
  names: ReadonlyMap<string, string>,
): LocationPhoto => ({
  id: _id,
  image_key,
  creator_user_id,
  author_name: names.get(creator_user_id) ?? null,
  created_at: dayTime(created_at),
});

/** @param hidden users hidden from the reader by a block */
export async function photosOf(
  db: Db,
  location_id: string,
  hidden: ReadonlySet<string>,
): Promise<LocationPhoto[]> {
  const rows = await locationPhotos(db)
    .find({ location_id, creator_user_id: { $nin: [...hidden] } })
    .sort({ created_at: -1 })
    .limit(PHOTOS_SHOWN)
    .toArray();
  const names = await namesOf(db, [...new Set(rows.map((row) => row.creator_user_id))]);
  return rows.map((row) => present(row, names));
}

/**
 * Returns the newest photo of each of these places, by place.
 * @param hidden users hidden from the reader by a block
 */
export async function newestPhotos(
  db: Db,
  ids: readonly string[],
  hidden: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const rows = await locationPhotos(db)
    .aggregate<{ _id: string; image_key: string }>([
      { $match: { location_id: { $in: ids }, creator_user_id: { $nin: [...hidden] } } },
      { $sort: { location_id: 1, created_at: -1 } },
      { $group: { _id: '$location_id', image_key: { $first: '$image_key' } } },
    ])
    .toArray();
  return new Map(rows.map(({ _id, image_key }) => [_id, image_key]));
}

/** Photos of places, which members add. */
export function mountPhotos(api: Api): void {
  const { services } = api;
  const { db, images } = services;
  const limit = services.limiter({ name: 'location-photos', points: 30, seconds: 3_600 });
  images.spare(async (files) =>
    locationPhotos(db).distinct('image_key', { image_key: { $in: files.map(({ key }) => key) } }),
  );

  /** @throws HttpError 404 for a place that the user can't see, 409 with enough photos of it */
  async function admit(id: string, userId: string): Promise<string> {
    const location = await findVisible(db, id, userId);
    const own = { location_id: location._id, creator_user_id: userId };
    if ((await locationPhotos(db).countDocuments(own)) >= PHOTOS_EACH_MAX)
      throw new HttpError(409, `You can add up to ${PHOTOS_EACH_MAX} photos of a place`, {
        code: 'too_many_photos',
      });
    return location._id;
  }

  serveAdmitted(
    api,
    uploadLocationPhoto,
    async ({ params, caller: { user } }) => void (await admit(params.id, user._id)),
    async ({ params, caller: { user }, file, freshId }) => {
      await limit(user._id);
      const location_id = await admit(params.id, user._id);
      const row = await insertOnce(locationPhotos(db), {
        _id: freshId(),
        location_id,
        creator_user_id: user._id,
        image_key: await images.put(file.path, user._id),
        created_at: new Date(),
      });
      try {
        await confirmPlace(db, location_id, user._id);
      } catch (error) {
        // The place was removed before the photo was stored.
        await remove(row);
        throw error;
      }
      return { photo: present(row, await namesOf(db, [user._id])) };
    },
  );

  async function remove({ _id, image_key, creator_user_id }: LocationPhotoRow): Promise<void> {
    await locationPhotos(db).deleteOne({ _id });
    await images.remove(image_key, creator_user_id);
  }

  serve(api, deleteLocationPhoto, async ({ params, caller: { user } }) => {
    const row = await locationPhotos(db).findOne({ _id: params.id, creator_user_id: user._id });
    if (!row) throw notFound('Photo');
    await remove(row);
    return {};
  });
}
