import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import { unavailable } from '#shared/http/http-error.ts';
import { type LocationRow, type PlaceFacts, locations } from './collections.ts';

const CORRECTABLE = [
  'name',
  'description',
  'address',
  'point',
  'location_type',
  'leash_required',
  'parking_available',
  'water_available',
  'restrooms_available',
  'off_leash',
  'fenced',
  'lit',
  'words',
] as const satisfies readonly (keyof PlaceFacts)[];

/**
 * Returns what an imported place says otherwise than OpenStreetMap, to be stored beside what was imported; nothing for a place that
 * a member added. Decision 170.
 */
export function correctionOf(
  row: PlaceFacts & Pick<LocationRow, 'imported'>,
  user_id: string,
): Pick<LocationRow, 'correction'> {
  const { imported } = row;
  if (!imported) return {};
  const changed = CORRECTABLE.filter(
    (fact) => row[fact] !== undefined && !isDeepStrictEqual(row[fact], imported.facts[fact]),
  );
  const facts: Partial<PlaceFacts> = Object.fromEntries(changed.map((fact) => [fact, row[fact]]));
  return { correction: { facts, user_id, at: new Date() } };
}

/** @throws HttpError 503 if it was removed or merged in the meantime */
export async function correct(
  db: Db,
  row: LocationRow,
  facts: Partial<PlaceFacts>,
  userId: string,
): Promise<LocationRow> {
  const said = Object.fromEntries(
    CORRECTABLE.flatMap((fact) => (facts[fact] === undefined ? [] : [[fact, facts[fact]]])),
  );
  const next = { ...row, ...said };
  const stored = await locations(db).findOneAndUpdate(
    { _id: row._id, is_active: true },
    { $set: { ...said, ...correctionOf(next, userId), updated_at: new Date() } },
    { returnDocument: 'after' },
  );
  if (!stored) throw unavailable('locations');
  return stored;
}
