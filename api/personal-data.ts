import type { Readable } from 'node:stream';
import type { UserRow } from '#shared/server/collections.ts';

/** A file that a person may take along. */
export interface PersonalDataFile {
  /** Its path in an export, such as `images/abc.webp`. */
  path: string;
  bytes: number;
  open(): Readable;
}

/**
 * What one feature holds about a person. Each feature adds its own to `services.personalData` when it is mounted; export and
 * deletion walk all of them.
 */
export interface PersonalDataHandler {
  /** Its name in an export, such as 'blocks'. */
  name: string;
  /** What of it is the person's to take along, as JSON: nothing of others that they may not see. */
  export?(user: UserRow): Promise<unknown>;
  /** Its files, which an export takes along beside the JSON. */
  files?(user: UserRow): AsyncIterable<PersonalDataFile>;
  /**
   * Takes away every row, and every mention in the rows of others, that has the person's id or email. May be repeated,
   * and is: after a crash, and once more a minute later, for a call that was under way. Nobody can sign in as this user
   * any more; the same person who signs in again is a new one, with another id and perhaps the same email.
   */
  remove(user: UserRow): Promise<void>;
}

/** So long after a deletion calls that were under way may still write: as long the row of the user stays. */
export const SETTLED_MS = 60_000;

/**
 * When something was written that is a deleted person's by its email alone, as a filter of the time. Later the address is
 * somebody new's: a deletion that is repeated, for hours where a part is away, leaves theirs alone.
 */
export const whileTheirs = ({ deleted_at }: UserRow): { $lt: Date } => ({
  $lt: new Date((deleted_at?.getTime() ?? Date.now()) + SETTLED_MS),
});

/**
 * Somebody as holdings may know them. What only an email tells to be theirs is theirs where the identity provider has verified it: or
 * whoever signed up under another's address would take that one's things along, and away.
 */
export const asProven = (user: UserRow): UserRow =>
  user.email_verified ? user : { ...user, email: '' };
