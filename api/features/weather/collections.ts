import type { Db } from 'mongodb';
import type { Weather } from '#shared/weather/contract.ts';
import type { Indexes } from '../../platform/database.ts';

/** A stored reading, of a cell and no user. */
export type StoredReading = Omit<Weather, 'user_id' | 'retrieved_at'> & { retrieved_at: Date };

export interface ReadingFailure {
  status: number | null;
  at: Date;
  /** The provider isn’t called before this time. */
  until: Date;
}

/** `weather_readings`: the last reading of each requested cell, for an hour. */
export interface WeatherReadingRow {
  /** The cell's name. */
  _id: string;
  reading: StoredReading | null;
  /** Why the last attempt failed. */
  failure: ReadingFailure | null;
  /** The caller that is asking the provider, and until when at most. */
  leased_by: string | null;
  leased_until: Date;
  expires_at: Date;
}

export const weatherReadings = (db: Db) => db.collection<WeatherReadingRow>('weather_readings');

export const weatherIndexes: Indexes = {
  weather_readings: [{ key: { expires_at: 1 } }],
};
