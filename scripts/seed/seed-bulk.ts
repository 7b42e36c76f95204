import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import type { Place } from '#shared/place.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { addPeople } from './people.ts';
import { addPlace } from './places.ts';
import { addPlannedWalks } from './planned-walks.ts';
import { emptyRows, type Rows } from './rows.ts';
import { createStreet, STREET_PEOPLE, type Street } from './user-cluster.ts';

export interface CrowdSettings {
  db: Db;
  /** Rounded up to whole streets. */
  owners: number;
  seed: number;
  /** The center of the streets. */
  at: Place;
  /** The current time: the history of the owners ends there. */
  now?: Date;
  log: (line: string) => void;
}

const BATCH_STREETS = 50;
const LOG_INTERVAL_MS = 15_000;

/**
 * Writes a crowd to the database, street by street, with all documents, projections and sums that the servers would write. A street
 * does not depend on the number of owners. Existing rows are not changed, so an interrupted run can be repeated.
 */
export async function seedCrowd({
  db,
  owners,
  seed,
  at,
  now = new Date(),
  log,
}: CrowdSettings): Promise<void> {
  const streets = Math.ceil(owners / STREET_PEOPLE);
  const startedAt = Date.now();
  let loggedAt = startedAt;
  let writing = Promise.resolve();
  for (let from = 0; from < streets; from += BATCH_STREETS) {
    const numbers = Array.from(
      { length: Math.min(BATCH_STREETS, streets - from) },
      (_, i) => from + i,
    );
    const batch = numbers.map((number) => createStreet(seed, number, at, now));
    if (!(await isSeeded(db, batch))) {
      const rows = await createRows(batch);
      // The next rows are created while the previous ones are being written.
      await writing;
      writing = write(db, rows);
      writing.catch(() => {});
    }
    const done = from + batch.length;
    if (Date.now() - loggedAt < LOG_INTERVAL_MS) continue;
    loggedAt = Date.now();
    const left = ((loggedAt - startedAt) / done) * (streets - done);
    log(
      `${done * STREET_PEOPLE} of ${streets * STREET_PEOPLE} owners, ${Math.ceil(left / MINUTE_MS)} min left`,
    );
  }
  await writing;
  log(`Added ${streets * STREET_PEOPLE} owners in ${streets} streets`);
}

/** Whether all rows of the streets exist: users are written last. */
async function isSeeded(db: Db, batch: readonly Street[]): Promise<boolean> {
  const ids = batch.flatMap(({ people }) => people.map(({ id }) => id));
  const users = db.collection<UserRow>('users');
  return (await users.countDocuments({ _id: { $in: ids } })) === ids.length;
}

async function createRows(batch: readonly Street[]): Promise<Rows> {
  const rows = emptyRows();
  for (const street of batch) {
    const conversations = addPeople(street, rows);
    const place = addPlace(street, rows);
    addPlannedWalks(street, { place, threads: conversations.map(({ thread }) => thread) }, rows);
    await yieldToOthers();
  }
  return rows;
}

async function write(db: Db, { users, ...rest }: Rows): Promise<void> {
  await Promise.all(Object.entries(rest).map(([name, rows]) => insert(db, name, rows)));
  await insert(db, 'users', users);
}

/** Inserts rows. Those with an existing id are skipped. */
async function insert(db: Db, name: string, rows: Document[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    // Rows that a power failure loses are inserted by the next run.
    const writeConcern = { w: 1, journal: false };
    await db.collection(name).insertMany(rows, { ordered: false, writeConcern });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}
