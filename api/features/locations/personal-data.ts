import type { UserRow } from '#shared/server/collections.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import {
  locationPhotos,
  locations,
  locationTips,
  locationVisits,
  locationReports,
} from './collections.ts';
import { recount, uncheck } from './location-stats.ts';
import { leaveLocation } from './remove-location.ts';
import { presentLocation, presentTip } from './store.ts';

/**
 * Places, tips, visits, votes, and reports. A public place that others use stays, without its creator.
 */
export function locationData({ db }: Services): PersonalDataHandler {
  async function removeTips({ _id }: UserRow): Promise<void> {
    const own = { creator_user_id: _id };
    await locationReports(db).deleteMany({
      kind: 'tip',
      subject_id: { $in: await locationTips(db).distinct('_id', own) },
    });
    await locationTips(db).deleteMany(own);
  }

  const removeVotes = ({ _id }: UserRow) =>
    locationTips(db).updateMany({ helpful_user_ids: _id }, [
      { $set: { helpful_user_ids: { $setDifference: ['$helpful_user_ids', [_id]] } } },
      { $set: { is_helpful_count: { $size: '$helpful_user_ids' } } },
    ]);

  /** Returns the places whose totals include the user. */
  async function placesOf({ _id }: UserRow): Promise<string[]> {
    const places = await Promise.all([
      locationTips(db).distinct('location_id', { creator_user_id: _id }),
      locationTips(db).distinct('location_id', { helpful_user_ids: _id }),
      locationVisits(db).distinct('location_id', { user_id: _id }),
      locationReports(db).distinct('location_id', { reporter_user_id: _id }),
    ]);
    return [...new Set(places.flat())];
  }

  return {
    name: 'locations',
    async export({ _id }) {
      const [places, tips, visits, photos, reports, helpful, corrected] = await Promise.all([
        locations(db).find({ creator_user_id: _id }).sort({ created_at: 1 }).toArray(),
        locationTips(db).find({ creator_user_id: _id }).sort({ created_at: 1 }).toArray(),
        locationVisits(db).find({ user_id: _id }).sort({ day: 1 }).toArray(),
        locationPhotos(db).find({ creator_user_id: _id }).sort({ created_at: 1 }).toArray(),
        locationReports(db).find({ reporter_user_id: _id }).sort({ created_at: 1 }).toArray(),
        locationTips(db).distinct('_id', { helpful_user_ids: _id }),
        locations(db).find({ 'correction.user_id': _id }).toArray(),
      ]);
      return {
        locations: places.map((row) => presentLocation(row)),
        tips: tips.map((tip) => presentTip(tip)),
        visits: visits.map(({ _id: id, ...visit }) => ({ id, ...visit })),
        photos: photos.map(({ location_id, image_key, created_at }) => ({
          location_id,
          image_key,
          created_at,
        })),
        reports: reports.map(({ kind, subject_id, report_type, description, created_at }) => ({
          [`${kind}_id`]: subject_id,
          report_type,
          description,
          created_at,
        })),
        helpful_tip_ids: helpful,
        corrections: corrected.map(({ _id: location_id, correction }) => ({
          location_id,
          at: correction?.at,
          ...correction?.facts,
        })),
      };
    },
    async remove(user) {
      const places = await placesOf(user);
      // First: once the rows are deleted, the places are unknown.
      await locations(db).updateMany({ _id: { $in: places } }, { $set: uncheck() });
      await removeTips(user);
      await removeVotes(user);
      // The corrected fact stays, without its author.
      await locations(db).updateMany(
        { 'correction.user_id': user._id },
        { $set: { 'correction.user_id': null } },
      );
      await locationVisits(db).deleteMany({ user_id: user._id });
      // Their images are deleted with all of the user's.
      await locationPhotos(db).deleteMany({ creator_user_id: user._id });
      await locationReports(db).deleteMany({ reporter_user_id: user._id });
      for (const place of places) await recount(db, place);
      for await (const row of locations(db).find({ creator_user_id: user._id }))
        await leaveLocation(db, row);
    },
  };
}
