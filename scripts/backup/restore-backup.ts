import { dirname } from 'node:path';
import {
  BSON,
  MongoBulkWriteError,
  MongoClient,
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
} from 'mongodb';
import { newId } from '#shared/ids.ts';
import { restores } from '#shared/server/backup-rows.ts';
import { claimRole, type NodeRow } from '#shared/server/role-claim.ts';
import { durable } from '#shared/server/write-concern.ts';
import { applyDeletions, combineRow } from './apply-ledger.ts';
import { readArchive, readHead, verifyArchive, type ArchiveHead } from './archive.ts';
import { FILE_BUCKETS, LEDGER_COLLECTIONS } from './archived-collections.ts';
import { createBackup, listArchives, secretHash, type ArchiveFile } from './create-backup.ts';
import type { PauseProgram } from './read-consistently.ts';

interface RestoreSettings {
  uri: string;
  database: string;
  key: Buffer;
  /** The path of a full archive, or of one with changes next to its full archive. */
  archive: string;
  /** Whether data that is there is replaced. It is written to an archive next to the other one before. */
  isReplacing: boolean;
  /** The secret that the servers will have; null if it is taken from the archive. */
  syncSecret: string | null;
  /** The secret of the data that is there, for its archive. */
  replacedSecret: string | null;
  /** Stores the secret of the archive for the servers. */
  storeSecret(secret: string): void;
  log(line: string): void;
  /** Called after each batch of rows; tests throw here. */
  onBatch?: () => void;
  /** See `readConsistently`. */
  pauseProgram?: PauseProgram;
}

/** Rows per write. Their number is limited by their size, too. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 8 * 1024 * 1024;
/** Collections that the restore itself needs. */
const OWN = new Set(['restores', 'nodes']);
/** Types such as `double` stay as they are. */
const EXACT = { promoteValues: false, promoteLongs: false, bsonRegExp: true } as const;

/**
 * Replaces the content of a database with that of an archive. No server can start until it is complete.
 *
 * What must not go back in time is taken from the newest archive in the folder, if that is not the restored one.
 * @throws before anything is written when an archive can't be read, the secret differs, a server runs, or there is data that may not
 * be replaced
 */
export async function restoreBackup(settings: RestoreSettings): Promise<{ rows: number }> {
  const { key, archive, log } = settings;
  log(`Checking ${archive}`);
  const { head, rows } = await verifyArchive(archive, key);
  if (head.kind === 'ledger')
    throw new Error(
      'This backup has the ledger only. Restore a full one or one with changes: the newest ledger in its folder is applied, too.',
    );
  const base = head.kind === 'changes' ? await findBase(settings, head) : null;
  const secret = secretOf(settings, head);
  const client = new MongoClient(settings.uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await client.connect();
    const db = client.db(settings.database, { writeConcern: await durable(client) });
    const release = await claimAllRoles(db);
    try {
      const saved = (await hasData(db)) ? await saveReplaced(settings) : null;
      const newer = await newestLedger(settings, head, saved);
      await restores(db).updateOne(
        { _id: 'unfinished' },
        { $setOnInsert: { started_at: new Date() } },
        { upsert: true },
      );
      await writeAll(settings, db, archive, base);
      if (newer) {
        log(`Applying the ledger of ${newer.path}`);
        await applyLedger(settings, db, newer.path);
      }
      await applyDeletions(db);
      await db.collection<{ _id: string }>('sync_server').updateOne(
        { _id: 'storage' },
        // Devices must not believe that this server has what they sent to the lost one. Projections are made again from the log.
        { $set: { storage_id: newId() }, $unset: { are_nodes_registered: 1 } },
      );
      if (secret !== null) settings.storeSecret(secret);
      await restores(db).deleteOne({ _id: 'unfinished' });
    } finally {
      await release();
    }
  } finally {
    await client.close();
  }
  return { rows };
}

/** @returns the path of the full archive on which another one is based */
async function findBase({ archive, key, log }: RestoreSettings, head: ArchiveHead) {
  const all = await listArchives(dirname(archive));
  for (const { path } of all.filter(({ kind }) => kind === 'full').toReversed()) {
    const found = await readHead(path, key);
    if (found.id !== head.base) continue;
    log(`Checking ${path}, on which it is based`);
    await verifyArchive(path, key);
    return path;
  }
  throw new Error(
    `The full backup on which ${archive} is based isn’t in the same folder. Nothing was changed.`,
  );
}

/** @returns the secret to store, if the servers have none yet */
function secretOf({ syncSecret }: RestoreSettings, head: ArchiveHead): string | null {
  if (syncSecret === null) {
    if (head.sync_secret === null)
      throw new Error('Set SYNC_SECRET to the one of the backup: it isn’t in the backup.');
    return head.sync_secret;
  }
  if (head.sync_secret_hash === null || secretHash(syncSecret) === head.sync_secret_hash)
    return null;
  throw new Error(
    'SYNC_SECRET isn’t the one of the backup. With another one, links in emails and web push stop working. Set it to the former one, and ' +
      // Who has the key of the backup may read all that is in it.
      `restore again${head.sync_secret === null ? '.' : `: SYNC_SECRET=${head.sync_secret}`}`,
  );
}

/** Keeps servers from running meanwhile. @throws when one runs */
async function claimAllRoles(db: Db): Promise<() => Promise<void>> {
  const nodes = db.collection<NodeRow>('nodes');
  const claims: { release(): Promise<void> }[] = [];
  const release = async () => {
    for (const claim of claims) await claim.release();
  };
  try {
    for (const role of ['sync-server', 'api'] as const)
      claims.push(await claimRole(nodes, role, false, (reason) => console.error(reason)));
    return release;
  } catch (error) {
    await release();
    throw new Error('Stop all API and sync nodes before you restore a backup.', { cause: error });
  }
}

/** Whether there is data, except what an interrupted restore left. */
async function hasData(db: Db): Promise<boolean> {
  if (await restores(db).findOne({ _id: 'unfinished' })) return false;
  return (await db.collection('users').findOne({}, { projection: { _id: 1 } })) !== null;
}

/**
 * Backs up the data that is about to be replaced.
 * @returns the path of the archive
 * @throws when it may not be replaced
 */
async function saveReplaced(settings: RestoreSettings): Promise<string> {
  const { uri, database, key, archive, log } = settings;
  if (!settings.isReplacing)
    throw new Error(
      'There is data in this installation. Use --replace to replace it: it is backed up before.',
    );
  const { path } = await createBackup({
    uri,
    database,
    key,
    kind: 'full',
    target: dirname(archive),
    syncSecret: settings.replacedSecret,
    pauseProgram: settings.pauseProgram,
  });
  log(`The replaced data is in ${path}`);
  return path;
}

/**
 * @param saved the path of an archive that was just written and read again
 * @returns the newest archive next to the restored one, if it is newer than that
 */
async function newestLedger(
  { archive, key, log }: RestoreSettings,
  { at }: ArchiveHead,
  saved: string | null,
): Promise<ArchiveFile | null> {
  const newest = (await listArchives(dirname(archive))).at(-1);
  if (!newest || newest.at <= at) return null;
  if (newest.path !== saved) {
    log(`Checking ${newest.path}`);
    await verifyArchive(newest.path, key);
  }
  return newest;
}

async function* readRows(path: string, key: Buffer) {
  for await (const { row } of readArchive(path, key)) if (row) yield row;
}

/** Writes the rows of an archive to the emptied database, and what it lacks from the one on which it is based. */
async function writeAll(
  settings: RestoreSettings,
  db: Db,
  archive: string,
  base: string | null,
): Promise<void> {
  const { key, log } = settings;
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    if (!OWN.has(name) && !name.startsWith('system.')) await db.dropCollection(name);
  log(`Restoring ${archive}`);
  const writer = new RowWriter(db, settings.onBatch);
  for await (const { collection, bytes } of readRows(archive, key))
    await writer.insert(collection, bytes);
  await writer.flush();
  if (base === null) return;
  log(`Restoring what didn’t change from ${base}`);
  const names: readonly string[] = FILE_BUCKETS.map((bucket) => `${bucket}.chunks`);
  for await (const { collection, bytes } of readRows(base, key)) {
    if (collection === 'documents') await writer.addSnapshot(bytes);
    else if (names.includes(collection)) await writer.addChunk(collection, bytes);
  }
  await writer.flush();
  const lacking = await db.collection('documents').countDocuments({ snapshot: { $exists: false } });
  if (lacking > 0) throw new Error(`${lacking} documents are not in the full backup.`);
}

/** Replaces the collections of the ledger by those of a newer archive, and combines its other rows with the restored ones. */
async function applyLedger({ key }: RestoreSettings, db: Db, path: string): Promise<void> {
  for (const name of LEDGER_COLLECTIONS) await db.collection(name).deleteMany({});
  const writer = new RowWriter(db);
  for await (const row of readRows(path, key))
    if (LEDGER_COLLECTIONS.includes(row.collection)) await writer.insert(row.collection, row.bytes);
    else await combineRow(db, row);
  await writer.flush();
}

/** Writes rows in batches. */
class RowWriter {
  readonly #db: Db;
  readonly #onBatch: () => void;
  #collection = '';
  #writes: AnyBulkWriteOperation[] = [];
  #bytes = 0;
  /** Ids of the files of the buckets, with their names before them. */
  #files: Set<string> | null = null;

  constructor(db: Db, onBatch = () => {}) {
    this.#db = db;
    this.#onBatch = onBatch;
  }

  async insert(collection: string, bytes: Buffer): Promise<void> {
    await this.#add(collection, bytes, {
      insertOne: { document: BSON.deserialize(bytes, EXACT) },
    });
  }

  /** Adds the snapshot to a document that has none. */
  async addSnapshot(bytes: Buffer): Promise<void> {
    const { _id, snapshot } = BSON.deserialize(bytes, EXACT);
    await this.#add('documents', bytes, {
      updateOne: {
        filter: { _id: _id as never, snapshot: { $exists: false } },
        update: { $set: { snapshot: snapshot as never } },
      },
    });
  }

  /** Adds the chunk of a file that still exists, unless it is there. */
  async addChunk(collection: string, bytes: Buffer): Promise<void> {
    this.#files ??= await this.#readFiles();
    const document = BSON.deserialize(bytes, EXACT);
    if (!this.#files.has(`${collection} ${String(document['files_id'])}`)) return;
    await this.#add(collection, bytes, {
      replaceOne: {
        filter: { _id: document['_id'] as never },
        replacement: document,
        upsert: true,
      },
    });
  }

  async flush(): Promise<void> {
    if (this.#writes.length === 0) return;
    const collection: Collection = this.#db.collection(this.#collection);
    const writes = this.#writes;
    this.#writes = [];
    this.#bytes = 0;
    try {
      await collection.bulkWrite(writes, { ordered: false });
    } catch (error) {
      if (error instanceof MongoBulkWriteError)
        throw new Error(`${collection.collectionName}: ${error.message}`, { cause: error });
      throw error;
    }
    this.#onBatch();
  }

  async #add(collection: string, bytes: Buffer, write: AnyBulkWriteOperation): Promise<void> {
    const isFull = this.#writes.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES;
    if (collection !== this.#collection || isFull) await this.flush();
    this.#collection = collection;
    this.#writes.push(write);
    this.#bytes += bytes.length;
  }

  async #readFiles(): Promise<Set<string>> {
    const found = new Set<string>();
    for (const bucket of FILE_BUCKETS)
      for await (const { _id } of this.#db
        .collection(`${bucket}.files`)
        .find({}, { projection: { _id: 1 } }))
        found.add(`${bucket}.chunks ${String(_id)}`);
    return found;
  }
}
