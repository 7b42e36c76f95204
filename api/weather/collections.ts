import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { Weather } from '#shared/weather/contract.ts';

/** A reading as it is kept: of a cell, and nobody's. */
export type StoredReading = Omit<Weather, 'user_id' | 'retrieved_at'> & { retrieved_at: Date };

export interface ReadingFailure {
  status: number | null;
  at: Date;
  /** The provider is left alone until then. */
  until: Date;
}

/** `weather_readings`: the last reading of each cell that somebody asked for, for an hour. */
export interface WeatherReadingRow {
  /** The cell's name. */
  _id: string;
  reading: StoredReading | null;
  /** Why the last attempt gave none. */
  failure: ReadingFailure | null;
  /** Whoever asks the provider now, and when that ends at the latest. */
  leased_by: string | null;
  leased_until: Date;
  expires_at: Date;
}

export const weatherReadings = (db: Db) => db.collection<WeatherReadingRow>('weather_readings');

export const weatherIndexes: Indexes = {
  weather_readings: [{ key: { expires_at: 1 } }],
};
