import type { Db } from 'mongodb';
import { RADIUS_METERS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { PositionRow } from '../../api/features/proximity/collections.ts';
import { randomFrom } from '../simulation.ts';
import { type Crowd, dogsOf, idOf, pointOf, someReport } from './crowd.ts';
import { fill, laterThanTheBench, upTo } from './fill.ts';

interface BareRow extends Omit<PositionRow, 'cell'> {
  display_name: string;
  dogs: ReturnType<typeof dogsOf>;
}

const collectionOf = (db: Db) => db.collection<BareRow>('bare_positions');

/** The rival's positions: they carry what an answer tells, under the index that its query needs. */
export async function seedBare(db: Db, crowd: Crowd): Promise<void> {
  const at = laterThanTheBench();
  const bare = collectionOf(db);
  await bare.createIndex({ location: '2dsphere' });
  await fill(bare, upTo(crowd.size), (index) => ({
    _id: idOf(index),
    location: pointOf(crowd.place(index)),
    at,
    display_name: `Walker ${index}`,
    dogs: dogsOf(index),
  }));
}

/** The rival's positions: with the fields of an answer, under the index that its query needs. */
export function bareCalls(db: Db, crowd: Crowd): () => Promise<unknown> {
  const bare = collectionOf(db);
  const random = randomFrom(2);
  return async () => {
    const { index, place } = someReport(crowd, random);
    const location = pointOf(place);
    await bare.updateOne(
      { _id: idOf(index) },
      {
        $set: {
          location,
          at: new Date(),
          display_name: `Walker ${index}`,
          dogs: dogsOf(index),
        },
      },
      { upsert: true },
    );
    return bare
      .aggregate([
        {
          $geoNear: {
            near: location,
            distanceField: 'meters',
            maxDistance: RADIUS_METERS,
            query: {
              at: { $gte: new Date(Date.now() - STALE_SECONDS * 1000) },
              _id: { $ne: idOf(index) },
            },
          },
        },
        { $limit: 20 },
      ])
      .toArray();
  };
}
