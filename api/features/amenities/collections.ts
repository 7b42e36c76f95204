import type { Db } from 'mongodb';
import type { AmenityKind } from '#shared/amenities/contract.ts';
import type { Indexes } from '../../platform/database.ts';
import type { Imported } from '../locations/collections.ts';

/** `amenities`: what helps on a walk, from OpenStreetMap alone. Each import replaces them. Decision 170. */
export interface AmenityRow {
  /** `osm-` and the letter and number of the object, such as `osm-n123`. */
  _id: string;
  kind: AmenityKind;
  name: string | null;
  point: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  notes: string[];
  phone: string | null;
  opening_hours: string | null;
  imported: Imported;
}

export const amenities = (db: Db) => db.collection<AmenityRow>('amenities');

export const amenityIndexes: Indexes = {
  amenities: [
    { key: { point: '2dsphere', kind: 1 } },
    { key: { 'imported.region': 1, 'imported.run': 1 } },
  ],
};
