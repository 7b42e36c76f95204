import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';
import type { FoundAddress } from './geocoder.ts';

/** `geocoder_results`: results of a geocoder, for 30 days. They contain no user, and the searched text only as a hash. */
export interface GeocoderResultRow {
  /** A hash of the geocoder’s name and the text. */
  _id: string;
  found: FoundAddress[];
  expires_at: Date;
}

/** `geocoder_turns`: when the geocoder may be asked next, by any node. */
export interface GeocoderTurnRow {
  /** The geocoder’s name. */
  _id: string;
  next_at: Date;
}

export const geocoderResults = (db: Db) => db.collection<GeocoderResultRow>('geocoder_results');
export const geocoderTurns = (db: Db) => db.collection<GeocoderTurnRow>('geocoder_turns');

export const geocoderIndexes: Indexes = {
  geocoder_results: [{ key: { expires_at: 1 } }],
};
