import type { Db, Filter } from 'mongodb';
import type { Charity } from '#shared/charities/contract.ts';
import { NEAR_MAX } from '#shared/charities/rules.ts';
import { METERS_PER_MILE, metersBetween, type Place } from '#shared/place.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { gazetteer, normalizedWords } from '../geocoder/gazetteer.ts';
import { charities, type CharityRow } from './collections.ts';
import { present } from './serialize.ts';

/** Whether a city as typed, maybe with more words, is this town: 'San' isn't San Antonio, but 'New York' is New York City. */
function isNamed(city: string, town: string): boolean {
  const [typed, name] = [city, town].map((words) => normalizedWords(words).join(' '));
  return `${typed} `.startsWith(`${name} `) || name === `${typed} city`;
}

/** Finds the towns of charities whose city is new or has changed; a charity without one, or with an unknown one, has no place. */
export async function locateCharities(db: Db): Promise<void> {
  await forEachIsolated(charities(db).find({ is_located: { $ne: true } }), async (row) => {
    const { _id, city, state } = row;
    const [found] = city
      ? (await gazetteer()).search([city, state].filter(Boolean).join(' '), 1, null)
      : [];
    const town = found && isNamed(city ?? '', found.name) ? found : null;
    const place = town && {
      type: 'Point' as const,
      coordinates: [town.longitude, town.latitude] as [number, number],
    };
    await charities(db).updateOne(
      // It may have been changed in the meantime.
      { _id, city, state },
      { $set: { is_located: true, place } },
    );
  });
}

/** The nearest charities, with the distance of their town, then those without a place by name; `NEAR_MAX` at most. */
export async function charitiesNear(
  db: Db,
  filter: Filter<CharityRow>,
  from: Place,
): Promise<Charity[]> {
  const geometry = { type: 'Point', coordinates: [from.longitude, from.latitude] };
  const placed = await charities(db)
    .find({ ...filter, place: { $nearSphere: { $geometry: geometry } } })
    .limit(NEAR_MAX)
    .toArray();
  const others = await charities(db)
    .find({ ...filter, place: null })
    .sort({ name_key: 1, _id: 1 })
    .limit(NEAR_MAX)
    .toArray();
  const milesTo = ({ place }: CharityRow) => {
    if (!place) return null;
    const [longitude, latitude] = place.coordinates;
    return Math.round(metersBetween(from, { latitude, longitude }) / METERS_PER_MILE);
  };
  return [...placed, ...others]
    .slice(0, NEAR_MAX)
    .map((row) => ({ ...present(row), distance_miles: milesTo(row) }));
}
