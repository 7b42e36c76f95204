import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { MongoClient, type ClientSession, type Db, type Document, type Filter } from 'mongodb';
import { MINUTE_MS } from '#shared/time.ts';
import { READ_LAST } from './archived-collections.ts';

/**
 * `snapshot`: all rows are of one moment. `paused`: nobody wrote meanwhile. `ordered`: rows are read before what they refer to, so that
 * nothing that an archive refers to is missing in it.
 */
export type Consistency = 'snapshot' | 'paused' | 'ordered';

/** Reads the state of one moment. */
export interface ConsistentReader {
  consistency: Consistency;
  /** Not later than the state that is read. */
  at: Date;
  /** The names of all collections. */
  collections: string[];
  /** Rows as BSON. */
  rows(collection: string, filter?: Filter<Document>, projection?: Document): AsyncIterable<Buffer>;
}

/** A program for `fork`. */
export interface PauseProgram {
  script: string;
  execArgv: string[];
}

/** An operation without an answer for this long ends the backup, and with it the pause. */
const TIMEOUT_MS = MINUTE_MS;
const BATCH_ROWS = 1_000;
/** The argument of a program that keeps writes paused: see `pauseWrites`. */
const PAUSE_ARGUMENT = '--pause-writes';

/**
 * Reads a database as it is at one moment. On a replica set, a snapshot session reads while others write. A server of its own has no
 * snapshots: its writes wait until the work is done. The embedded engine is read in order while others write.
 * @param program calls `isPauseProcess` first; by default, the running one
 * @throws when MongoDB does not answer
 */
export async function readConsistently<Result>(
  uri: string,
  database: string,
  work: (reader: ConsistentReader) => Promise<Result>,
  program: PauseProgram = { script: process.argv[1] ?? '', execArgv: process.execArgv },
): Promise<Result> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 5_000,
    socketTimeoutMS: TIMEOUT_MS,
  });
  try {
    await client.connect();
    const db = client.db(database);
    const hello = await client.db('admin').command({ hello: 1 });
    if (hello['setName'] !== undefined || hello['msg'] === 'isdbgrid') {
      const session = client.startSession({ snapshot: true });
      try {
        return await work(await openReader(db, 'snapshot', session));
      } finally {
        await session.endSession();
      }
    }
    // The embedded engine has neither sessions nor a pause: a few waiting writes would block it for good.
    if (hello['logicalSessionTimeoutMinutes'] === undefined)
      return await work(await openReader(db, 'ordered'));
    const resume = await pauseWrites(uri, program);
    try {
      return await work(await openReader(db, 'paused'));
    } finally {
      await resume();
    }
  } finally {
    await client.close();
  }
}

/** Where a collection is in the order: what others refer to comes last. */
const placeOf = (collection: string): number => READ_LAST.indexOf(collection);

async function openReader(
  db: Db,
  consistency: ConsistentReader['consistency'],
  session?: ClientSession,
): Promise<ConsistentReader> {
  const at = new Date();
  const options = { raw: true, batchSize: BATCH_ROWS, ...(session && { session }) };
  const names = await db.listCollections({}, { nameOnly: true }).toArray();
  return {
    consistency,
    at,
    collections: names.map(({ name }) => name).toSorted((a, b) => placeOf(a) - placeOf(b)),
    rows: (collection, filter = {}, projection) =>
      db.collection(collection).find(filter, {
        ...options,
        ...(projection && { projection }),
      }) as unknown as AsyncIterable<Buffer>,
  };
}

/**
 * Pauses the writes of a standalone server. The pause is in the hands of a second process, which ends it when this one is killed: no
 * write could go on until somebody noticed.
 * @returns ends the pause
 */
async function pauseWrites(
  uri: string,
  { script, execArgv }: PauseProgram,
): Promise<() => Promise<void>> {
  const holder = fork(script, [PAUSE_ARGUMENT], {
    execArgv,
    env: { ...process.env, PAUSED_MONGODB_URI: uri },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [ready] = (await Promise.race([once(holder, 'message'), once(holder, 'exit')])) as [
    unknown,
  ];
  if (ready !== 'paused') throw new Error('The writes of MongoDB could not be paused.');
  return () => endPause(holder, uri);
}

async function endPause(holder: ChildProcess, uri: string): Promise<void> {
  const isRunning = holder.exitCode === null && holder.signalCode === null;
  if (isRunning) {
    const exited = once(holder, 'exit');
    holder.disconnect();
    await exited;
  }
  if (holder.exitCode !== 0) {
    await unlock(uri);
    throw new Error('The pause of MongoDB’s writes ended during the backup. Run it again.');
  }
}

/**
 * Runs the second process, if this is it: it pauses writes until its parent disconnects or exits.
 * @returns whether this is the second process
 */
export async function isPauseProcess(): Promise<boolean> {
  if (process.argv[2] !== PAUSE_ARGUMENT) return false;
  // Ctrl-C goes to all processes of the terminal. The parent ends this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const uri = process.env['PAUSED_MONGODB_URI'] ?? '';
  const disconnected = once(process, 'disconnect');
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  await client.db('admin').command({ fsync: 1, lock: true });
  if (process.connected) process.send?.('paused');
  else process.emit('disconnect');
  await disconnected;
  await client.close();
  await unlock(uri);
  return true;
}

async function unlock(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await client.db('admin').command({ fsyncUnlock: 1 });
  } finally {
    await client.close();
  }
}
