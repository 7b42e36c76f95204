import { MongoServerError } from 'mongodb';

/** Returns whether a unique index rejected the write. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 11_000;
