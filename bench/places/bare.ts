import type { Db } from 'mongodb';
import { SEARCH_RADIUS, TIPS_SHOWN, LOCATIONS_LIMIT } from '#shared/locations/rules.ts';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import type { StoredTip } from '../../api/features/locations/collections.ts';
import { pointOf } from '../location/crowd.ts';
import { fill, upTo } from '../location/fill.ts';
import { idOf, PLACES, placeAt, tipsOf } from './dataset.ts';

interface BareRow {
  _id: string;
  point: ReturnType<typeof pointOf>;
  name: string;
  description: string;
  location_type: string;
  visit_count: number;
  average_rating: number;
}

/** The rival's places and tips, under the indexes that its aggregation needs. */
export async function seedBarePlaces(db: Db): Promise<void> {
  const places = db.collection<BareRow>('bare_places');
  const tips = db.collection<StoredTip>('bare_tips');
  await places.createIndex({ point: '2dsphere' });
  await tips.createIndex({ location_id: 1, is_helpful_count: -1 });
  await fill(places, upTo(PLACES), (index) => ({
    _id: idOf(index),
    point: pointOf(placeAt(index)),
    name: `Place ${index}`,
    description: 'A meadow with old oaks.',
    location_type: 'park',
    visit_count: index % 100,
    average_rating: 4,
  }));
  await fill(tips, tipNumbers(), (number) => {
    const tip = tipsOf(Math.floor(number / 10))[number % 10];
    if (!tip) throw new Error('there is no such tip');
    return tip;
  });
}

/** Ten times the place, and which of its tips. */
function* tipNumbers(): Generator<number> {
  for (let index = 0; index < PLACES; index += 1)
    for (let which = 0; which < tipsOf(index).length; which += 1) yield index * 10 + which;
}

/** The rival: nothing but the aggregation that the job takes. */
export const bareSearch = (db: Db, from: Place) =>
  db
    .collection<BareRow>('bare_places')
    .aggregate<BareRow & { tips: StoredTip[] }>([
      {
        $geoNear: {
          near: pointOf(from),
          distanceField: 'meters',
          maxDistance: SEARCH_RADIUS.usual * METERS_PER_MILE,
        },
      },
      { $limit: LOCATIONS_LIMIT.usual },
      {
        $lookup: {
          from: 'bare_tips',
          localField: '_id',
          foreignField: 'location_id',
          pipeline: [{ $sort: { is_helpful_count: -1 } }, { $limit: TIPS_SHOWN }],
          as: 'tips',
        },
      },
    ])
    .toArray();
