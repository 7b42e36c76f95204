import type { Db } from 'mongodb';
import {
  createHazard,
  deleteHazard,
  listHazards,
  reportHazard,
  uploadHazardPhoto,
  voteOnHazard,
} from '#shared/hazards/contract.ts';
import { HAZARDS_LIMIT, HAZARD_MS, HAZARD_NAMES, NOTIFIED_METERS } from '#shared/hazards/rules.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { METERS_PER_MILE, metersBetween } from '#shared/place.ts';
import { noticeKey } from '#shared/push/contract.ts';
import { DAY_MS, DAY_SECONDS } from '#shared/time.ts';
import { wordsOf } from '../../platform/admin/search.ts';
import { insertOnce } from '../../platform/database.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { serve, serveAdmitted } from '../../platform/http/mount-endpoint.ts';
import { deleteDue } from '../../platform/retention.ts';
import { offered, type Api, type Services } from '../../platform/services.ts';
import type { PositionsOf } from '../alerts/alert-broadcaster.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { pointOf, placeOf } from '../locations/store.ts';
import { positions } from '../proximity/collections.ts';
import { cellsWithin } from '../proximity/nodes/followed-cells.ts';
import { mountAdminHazards } from './admin-routes.ts';
import { hazards, type HazardRow } from './collections.ts';
import {
  currentHazards,
  findHazard,
  hideIfRefuted,
  isNear,
  photoOwner,
  presentHazard,
} from './store.ts';

/** How long an expired hazard is stored, for complaints about it. */
const RETENTION_DAYS = 7;

const without = (field: string, userId: string) => ({
  $setDifference: [{ $ifNull: [`$${field}`, []] }, [{ $literal: userId }]],
});
const withUser = (field: string, userId: string) => ({
  $setUnion: [{ $ifNull: [`$${field}`, []] }, [{ $literal: userId }]],
});

/** Hazards and lost dogs that members report to each other. */
export function mountHazards(api: Api): void {
  const { services } = api;
  const { positionsOf } = offered(api, 'proximity');
  const { db, log, images } = services;
  images.spare(async (files) => {
    const keys = files.map(({ key }) => key);
    const used = await hazards(db).distinct('image_key', { image_key: { $in: keys } });
    return used.filter((key) => key !== undefined);
  });
  const limitNew = services.limiter({ name: 'new-hazards', points: 10, seconds: 3_600 });
  // Counts those with a text, which strangers read.
  const limitTexts = services.limiter({
    name: 'hazard-texts',
    points: 5,
    seconds: DAY_SECONDS,
    shared: true,
  });
  services.registerJob('hazards', async () => {
    const due = { expires_at: { $lt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) } };
    const pictured = hazards(db).find(
      { ...due, image_key: { $exists: true } },
      { projection: { _id: 1 } },
    );
    try {
      await forEachIsolated(pictured, ({ _id }) => images.removeAll(photoOwner(_id)));
    } finally {
      await deleteDue(hazards(db), due);
    }
  });

  mountAdminHazards(api);

  serve(api, listHazards, async ({ query, caller: { user } }) => {
    const rows = await hazards(db)
      .find({
        point: {
          $nearSphere: {
            $geometry: pointOf(query),
            $maxDistance: query.radius_miles * METERS_PER_MILE,
          },
        },
        ...currentHazards(),
      })
      .limit(HAZARDS_LIMIT)
      .toArray();
    return { hazards: rows.map((row) => presentHazard(row, user._id)) };
  });

  serve(api, createHazard, async ({ body, caller: { user }, freshId, madeAt }) => {
    await limitNew(user._id);
    const _id = freshId();
    const { kind, description } = body;
    const { dog_name = '', contact = '' } = kind === 'lost_dog' ? body : {};
    if (description + dog_name + contact !== '') await limitTexts(user._id);
    await refuseContent(services, {
      user_id: user._id,
      content_type: 'hazard',
      content_id: _id,
      fields: { description, dog_name, contact },
    });
    const row: HazardRow = {
      _id,
      creator_user_id: user._id,
      kind,
      description,
      ...(dog_name && { dog_name }),
      ...(contact && { contact }),
      point: pointOf(body),
      reported_at: madeAt,
      expires_at: new Date(madeAt.getTime() + HAZARD_MS[kind]),
      confirmed_user_ids: [],
      denied_user_ids: [],
      reported_user_ids: [],
      nearby_user_ids: [],
      is_hidden: false,
      words: wordsOf(HAZARD_NAMES[kind], description, dog_name),
    };
    const stored = await insertOnce(hazards(db), row);
    // One that waited on the device too long is stored for its author, and notifies no one.
    if (row.expires_at > new Date())
      await notifyOfHazard(services, positionsOf, stored).catch((err: unknown) =>
        log.warn({ err }, 'could not notify of a hazard'),
      );
    return { hazard: presentHazard(stored, user._id) };
  });

  serveAdmitted(
    api,
    uploadHazardPhoto,
    async ({ params, caller: { user } }) => void (await findChangeable(db, params.id, user._id)),
    async ({ params, caller: { user }, file }) => {
      await limitNew(user._id);
      const { _id, image_key: before } = await findChangeable(db, params.id, user._id);
      const owner = photoOwner(_id);
      const image_key = await images.put(file.path, owner);
      const row = await hazards(db).findOneAndUpdate(
        { _id, ...currentHazards(), is_approved: { $ne: true } },
        { $set: { image_key } },
        { returnDocument: 'after' },
      );
      if (!row) {
        await images.remove(image_key, owner);
        await findChangeable(db, _id, user._id);
        throw notFound('Hazard');
      }
      if (before) await images.remove(before, owner);
      return { hazard: presentHazard(row, user._id) };
    },
  );

  mountVotes(api);

  serve(api, deleteHazard, async ({ params, caller: { user } }) => {
    const { deletedCount } = await hazards(db).deleteOne({
      _id: params.id,
      creator_user_id: user._id,
    });
    if (deletedCount === 0) throw notFound('Hazard');
    await images.removeAll(photoOwner(params.id));
    return {};
  });
}

/** What others say of a hazard: whether it is still there, and that it breaks the rules. */
function mountVotes(api: Api): void {
  const { services } = api;
  const { db } = services;
  const limitVotes = services.limiter({ name: 'hazard-votes', points: 60, seconds: 3_600 });

  serve(api, voteOnHazard, async ({ params, body, caller: { user } }) => {
    await limitVotes(user._id);
    const row = await findHazard(db, params.id);
    if (row.creator_user_id === user._id)
      throw new HttpError(400, 'You can’t vote on your own report');
    const [confirmed, denied] = body.is_there ? [withUser, without] : [without, withUser];
    const nearby = (await isNear(db, row, user._id)) ? withUser : without;
    const after = await hazards(db).findOneAndUpdate(
      { _id: row._id, ...currentHazards() },
      [
        {
          $set: {
            confirmed_user_ids: confirmed('confirmed_user_ids', user._id),
            denied_user_ids: denied('denied_user_ids', user._id),
            nearby_user_ids: nearby('nearby_user_ids', user._id),
          },
        },
        hideIfRefuted,
      ],
      { returnDocument: 'after' },
    );
    if (!after) throw notFound('Hazard');
    return { hazard: presentHazard(after, user._id) };
  });

  serve(api, reportHazard, async ({ params, caller: { user } }) => {
    await limitVotes(user._id);
    // Also one that others' reports have hidden: this report may have waited on its device.
    const row = await hazards(db).findOne({ _id: params.id, expires_at: { $gt: new Date() } });
    if (!row) throw notFound('Hazard');
    if (row.creator_user_id === user._id)
      throw new HttpError(400, 'You can’t report your own report');
    await hazards(db).updateOne({ _id: row._id }, [
      { $set: { reported_user_ids: withUser('reported_user_ids', user._id) } },
      hideIfRefuted,
    ]);
    return {};
  });
}

/** Notifies people who share a position near a new hazard, by an event and a push. Its author isn't notified. */
async function notifyOfHazard(
  { db, events, push }: Pick<Services, 'db' | 'events' | 'push'>,
  positionsOf: PositionsOf,
  row: HazardRow,
): Promise<void> {
  const place = placeOf(row);
  const inCells = await positions(db)
    .find(
      { cell: { $in: cellsWithin(place, NOTIFIED_METERS) }, _id: { $ne: row.creator_user_id } },
      { projection: { _id: 1 } },
    )
    .toArray();
  // Read again, because only fresh positions of users with access count.
  for (const person of await positionsOf(inCells.map(({ _id }) => _id))) {
    if (metersBetween(person, place) > NOTIFIED_METERS) continue;
    events.send(person.userId, { type: 'hazard', hazard: presentHazard(row, person.userId) });
    await push.notify({
      topic: 'hazard',
      user_id: person.userId,
      subject: row._id,
      key: noticeKey.hazard(person.userId, row._id),
      tag: `hazard:${row._id}`,
    });
  }
}

/**
 * Returns a hazard whose photo its author may set: not of one that members can't hide any more, because no admin has seen that photo.
 * @throws HttpError 404, 409
 */
async function findChangeable(db: Db, _id: string, creator_user_id: string): Promise<HazardRow> {
  const row = await hazards(db).findOne({ _id, creator_user_id, ...currentHazards() });
  if (!row) throw notFound('Hazard');
  if (row.is_approved)
    throw new HttpError(409, 'We’ve checked this report, so its photo can’t change anymore');
  return row;
}
