import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import type { Place } from '#shared/place.ts';
import { addAdvertising, bookTime } from './advertising.ts';
import { addGiving } from './donations.ts';
import { addInvitations } from './invitations.ts';
import { addPeople, identityOf } from './people.ts';
import { addReport } from './reports.ts';
import { noRows, type Filled, type Rows } from './rows.ts';
import { STREET_PEOPLE, streetOf, type Street } from './user-cluster.ts';
import { addAlert } from './emergency-alerts.ts';
import { addWalks } from './places.ts';

export interface CrowdSettings {
  db: Db;
  /** Rounded up to whole streets. */
  owners: number;
  seed: number;
  /** The middle of where they live. */
  at: Place;
  /** When this is: what they did lately was before then. */
  now?: Date;
  say: (line: string) => void;
}

const BATCH_STREETS = 50;
const SAY_EVERY_MS = 15_000;
const DUPLICATE = 11_000;

/**
 * Writes a crowd as the servers would have it, street by street: what people have is there, documents too, and what is added
 * up is. A street is the same at any size; what is there already stays. A run that was broken off is made good by the next.
 * @throws where the seed's people are there already under other ids
 */
export async function fillCrowd({
  db,
  owners,
  seed,
  at,
  now = new Date(),
  say,
}: CrowdSettings): Promise<void> {
  await refuseEarlier(db, streetOf(seed, 0, at, now));
  const streets = Math.ceil(owners / STREET_PEOPLE);
  const begun = Date.now();
  let said = begun;
  let writing = Promise.resolve();
  for (let from = 0; from < streets; from += BATCH_STREETS) {
    const numbers = Array.from(
      { length: Math.min(BATCH_STREETS, streets - from) },
      (_, i) => from + i,
    );
    const batch = numbers.map((number) => streetOf(seed, number, at, now));
    if (!(await areThere(db, batch))) {
      const rows = await gather(db, batch);
      // While the last ones are on their way to the disk, the next ones are made.
      await writing;
      writing = write(db, rows);
      writing.catch(() => {});
    }
    const done = from + batch.length;
    if (Date.now() - said < SAY_EVERY_MS) continue;
    said = Date.now();
    const left = ((said - begun) / done) * (streets - done);
    say(
      `${done * STREET_PEOPLE} of ${streets * STREET_PEOPLE} owners, ${Math.ceil(left / 60_000)} min left`,
    );
  }
  await writing;
  say(`${streets * STREET_PEOPLE} owners of a crowd, in ${streets} streets`);
}

/** Once ids did not begin with their street: what such a crowd has is nobody's of this one. */
async function refuseEarlier(db: Db, { people: [first], seed }: Street): Promise<void> {
  const users = db.collection<Filled['users']>('users');
  const there = first && (await users.findOne({ identity: identityOf(first) }));
  if (there && there._id !== first.id)
    throw new Error(`Seed ${seed} was filled by an earlier version: take another --seed`);
}

/** People are written after all that they have: where they are, the rest is. */
async function areThere(db: Db, batch: readonly Street[]): Promise<boolean> {
  const ids = batch.flatMap(({ people }) => people.map(({ id }) => id));
  const users = db.collection<Filled['users']>('users');
  return (await users.countDocuments({ _id: { $in: ids } })) === ids.length;
}

async function gather(db: Db, batch: readonly Street[]): Promise<Rows> {
  const rows = noRows();
  for (const street of batch) {
    const talks = addPeople(street, rows);
    addReport(street, talks, rows);
    addInvitations(street, rows);
    addWalks(street, rows);
    addGiving(street, rows);
    addAdvertising(street, rows);
    addAlert(street, rows);
    await bookTime(db, street, rows);
    await yieldToOthers();
  }
  return rows;
}

async function write(db: Db, { users, ...rest }: Rows): Promise<void> {
  await Promise.all(Object.entries(rest).map(([name, rows]) => insert(db, name, rows)));
  await insert(db, 'users', users);
}

/** Those whose ids are there already stay as they are. */
async function insert(db: Db, name: string, rows: Document[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    // What is lost with the power goes in again with the next run.
    const writeConcern = { w: 1, journal: false };
    await db.collection(name).insertMany(rows, { ordered: false, writeConcern });
  } catch (error) {
    if ((error as { code?: unknown }).code !== DUPLICATE) throw error;
  }
}
