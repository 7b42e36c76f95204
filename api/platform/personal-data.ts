import type { Readable } from 'node:stream';
import type { UserRow } from '#shared/server/collections.ts';
import { MINUTE_MS } from '#shared/time.ts';

/** A file in a user’s data export. */
export interface PersonalDataFile {
  /** Its path in an export, such as `images/abc.webp`. */
  path: string;
  bytes: number;
  open(): Readable;
}

/**
 * Exports and removes a user’s data of one feature. Each feature names its handlers in its `feature.ts`; account export and
 * deletion call all of them. Decision 90.
 */
export interface PersonalDataHandler {
  /** The file name in an export, such as 'blocks'. */
  name: string;
  /** Returns the user’s data as JSON, without other users’ data that the user may not see. */
  export?(user: UserRow): Promise<unknown>;
  /** Files for the export, beside the JSON. */
  files?(user: UserRow): AsyncIterable<PersonalDataFile>;
  /**
   * Removes the user’s rows, and mentions in other rows of the user’s id or email. Runs more than once: after a crash,
   * and again a minute later for calls that were in progress. No one can sign in as this user anymore; the same person
   * gets a new user id, perhaps with the same email.
   */
  remove(user: UserRow): Promise<void>;
}

/**
 * How long calls that were in progress may still write after a deletion; the user’s row stays for this long.
 */
export const SETTLED_MS = MINUTE_MS;

/**
 * A time filter for rows that belong to a deleted user only by email: a later row with the same address belongs to
 * someone else, also if the deletion is repeated hours later.
 */
export const writtenBeforeDeletion = ({ deleted_at }: UserRow): { $lt: Date } => ({
  $lt: new Date((deleted_at?.getTime() ?? Date.now()) + SETTLED_MS),
});

/**
 * Returns the user as personal-data handlers may see them: without an unverified email, which may be someone else’s.
 */
export const withVerifiedEmail = (user: UserRow): UserRow =>
  user.email_verified ? user : { ...user, email: '' };

/** The named fields of a row, for an export. */
export const pick = <Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
): Pick<Row, Field> =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<Row, Field>;
