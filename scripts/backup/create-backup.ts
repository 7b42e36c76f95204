import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BSON, MongoClient, type Document, type Filter } from 'mongodb';
import { newId } from '#shared/ids.ts';
import { backups } from '#shared/server/backup-rows.ts';
import { MINUTE_MS, DAY_MS } from '#shared/time.ts';
import { userId } from './archive-encryption.ts';
import {
  readHead,
  verifyArchive,
  writeArchive,
  type ArchiveHead,
  type ArchiveKind,
  type ArchivedRow,
} from './archive.ts';
import {
  COMBINED_COLLECTIONS,
  FILE_BUCKETS,
  LEDGER_COLLECTIONS,
  RUNTIME_COLLECTIONS,
} from './archived-collections.ts';
import {
  readConsistently,
  type ConsistentReader,
  type Consistency,
  type PauseProgram,
} from './read-consistently.ts';
import { SegmentReferences } from './segment-references.ts';

/** The clocks of the servers and of this machine may differ by this much. */
const CLOCKS_MS = 10 * MINUTE_MS;
/** Ids of files per query. */
const FILES_AT_ONCE = 500;
/** How often the embedded engine is read until nothing that an archive refers to was removed meanwhile. */
const ORDERED_ATTEMPTS = 5;
const SUFFIX = '.backup';
const NAME = /^(full|changes|ledger)-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.backup$/;

interface BackupSettings {
  uri: string;
  database: string;
  key: Buffer;
  kind: ArchiveKind;
  /** A folder, in which the archive gets a name of its own, or a path that ends with `.backup`. */
  target: string;
  /** The secret of the installation, which belongs into the archive; null if it has none. */
  syncSecret: string | null;
  /** See `readConsistently`. */
  pauseProgram?: PauseProgram;
}

/** An archive in a folder, by its name. */
export interface ArchiveFile {
  path: string;
  kind: ArchiveKind;
  /** When it was begun, by its name. */
  at: Date;
}

export const secretHash = (secret: string): string =>
  createHash('sha256').update(`sync secret ${secret}`).digest('base64url');

/** Lists the archives of a folder, oldest first. */
export async function listArchives(folder: string): Promise<ArchiveFile[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const found = names.flatMap((name): ArchiveFile[] => {
    const [, kind, hour, minute, second, rest] = NAME.exec(name) ?? [];
    if (!kind) return [];
    const at = new Date(`${hour}:${minute}:${second}.${rest}`);
    return [{ path: join(folder, name), kind: kind as ArchiveKind, at }];
  });
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * Writes an archive of one moment, and reads it again. Decision 345.
 * @returns its path, rows and bytes, and how long writes were paused
 * @throws when MongoDB does not answer, or `changes` has no full archive in the folder
 */
export async function createBackup(
  settings: BackupSettings,
): Promise<{ path: string; rows: number; bytes: number; consistency: Consistency; ms: number }> {
  const { uri, database, key, kind, target, syncSecret } = settings;
  const isFile = target.endsWith(SUFFIX);
  await requireWritable(isFile ? dirname(target) : target);
  const base = kind === 'changes' ? await newestFull(target, key) : null;
  const startedAt = performance.now();
  const write = async (
    reader: ConsistentReader,
    attemptsLeft = ORDERED_ATTEMPTS - 1,
  ): Promise<{ path: string; consistency: Consistency }> => {
    const name = reader.at.toISOString().replaceAll(/[:.]/g, '-');
    const file = isFile ? target : join(target, `${kind}-${name}${SUFFIX}`);
    const head: ArchiveHead = {
      id: newId(),
      kind,
      at: reader.at,
      base: base?.id ?? null,
      consistency: reader.consistency,
      sync_secret: syncSecret,
      sync_secret_hash: syncSecret === null ? null : secretHash(syncSecret),
    };
    const rows = rowsOf(reader, kind, base);
    const isOfOneMoment = reader.consistency !== 'ordered' || kind === 'ledger';
    const segments = isOfOneMoment ? null : new SegmentReferences();
    await writeArchive(file, key, head, segments?.noting(rows) ?? rows);
    // A message was removed meanwhile, and with it a segment that its thread still names in this archive.
    if (segments?.areBroken && attemptsLeft > 0) return write(reader, attemptsLeft - 1);
    return { path: file, consistency: reader.consistency };
  };
  const { pauseProgram } = settings;
  const { path, consistency } = await readConsistently(uri, database, write, pauseProgram);
  const ms = Math.round(performance.now() - startedAt);
  const { head, rows } = await verifyArchive(path, key);
  await recordBackup(settings, head);
  return { path, rows, bytes: (await stat(path)).size, consistency, ms };
}

/** Creates a folder, unless it exists. @throws before anything is read when nothing can be written to it */
async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `User ${userId()} can’t write to the folder ${folder}. Change its owner: chown ${userId()} <folder>`,
      { cause: error },
    );
  }
}

/** Lets the servers know how old the newest backup is. */
async function recordBackup({ uri, database }: BackupSettings, { kind, at }: ArchiveHead) {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await backups(client.db(database)).updateOne({ _id: kind }, { $set: { at } }, { upsert: true });
  } finally {
    await client.close();
  }
}

async function newestFull(folder: string, key: Buffer): Promise<ArchiveHead> {
  const newest = (await listArchives(folder)).findLast(({ kind }) => kind === 'full');
  if (!newest) throw new Error(`There is no full backup in ${folder} yet: leave out --changes.`);
  return readHead(newest.path, key);
}

async function* rowsOf(
  reader: ConsistentReader,
  kind: ArchiveKind,
  base: ArchiveHead | null,
): AsyncGenerator<ArchivedRow> {
  const isInLedger = (name: string) =>
    LEDGER_COLLECTIONS.includes(name) || COMBINED_COLLECTIONS.includes(name);
  const names = reader.collections.filter(
    (name) =>
      !name.startsWith('system.') &&
      !RUNTIME_COLLECTIONS.has(name) &&
      (kind !== 'ledger' || isInLedger(name)),
  );
  const since = base && new Date(base.at.getTime() - CLOCKS_MS);
  for (const collection of names) {
    const all = since ? changedRows(reader, collection, since) : reader.rows(collection);
    for await (const bytes of all) yield { collection, bytes };
  }
}

/** All rows, but of documents only the new snapshots, and of files only the new contents. */
async function* changedRows(
  reader: ConsistentReader,
  collection: string,
  since: Date,
): AsyncGenerator<Buffer> {
  const bucket = FILE_BUCKETS.find((name) => collection === `${name}.chunks`);
  if (collection === 'documents') {
    const isNew: Filter<Document> = { snapshot_at: { $gt: since } };
    yield* reader.rows(collection, isNew);
    yield* reader.rows(collection, { $nor: [isNew] }, { snapshot: 0 });
  } else if (bucket) {
    let ids: unknown[] = [];
    const contents = () => reader.rows(collection, { files_id: { $in: ids } });
    const files = reader.rows(`${bucket}.files`, { uploadDate: { $gt: since } }, { _id: 1 });
    for await (const file of files) {
      ids.push(BSON.deserialize(file)['_id']);
      if (ids.length < FILES_AT_ONCE) continue;
      yield* contents();
      ids = [];
    }
    if (ids.length > 0) yield* contents();
  } else yield* reader.rows(collection);
}

/**
 * Deletes archives that are older than so many days, except those that are needed to restore newer ones: the newest full archive from
 * before, and nothing at all if it is the last one.
 * @returns the deleted paths
 */
export async function deleteOldArchives(folder: string, days: number): Promise<string[]> {
  const all = await listArchives(folder);
  const limit = new Date(Date.now() - days * DAY_MS);
  const needed =
    all.findLast(({ kind, at }) => kind === 'full' && at <= limit) ??
    all.find(({ kind }) => kind === 'full');
  const due = all.filter(({ at }) => at < limit && needed !== undefined && at < needed.at);
  for (const { path } of due) await rm(path);
  return due.map(({ path }) => path);
}
