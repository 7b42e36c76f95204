import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BSON } from 'mongodb';
import { ArchiveError, decrypt, encrypt } from './archive-encryption.ts';
import type { Consistency } from './read-consistently.ts';

/**
 * `full`: everything. `changes`: everything, but without the snapshots of documents and the files that are in the full archive on
 * which it is based. `ledger`: what must not go back in time, such as deletions, blocks and payments.
 */
export type ArchiveKind = 'full' | 'changes' | 'ledger';

/** The first frame of an archive. */
export interface ArchiveHead {
  /** Identifies the archive. */
  id: string;
  kind: ArchiveKind;
  /** The moment whose state it has, by the clock of the machine that wrote it. */
  at: Date;
  /** Of `changes`: the id of the full archive. */
  base: string | null;
  /** How the state of one moment was read. */
  consistency: Consistency;
  /**
   * The secret of the installation: it signs links and encrypts the key of web push. Older archives have it only if it was stored in
   * DATA_DIR.
   */
  sync_secret: string | null;
  /** A hash of it, also in older archives. */
  sync_secret_hash: string | null;
}

/** One row of a collection, as BSON. */
export interface ArchivedRow {
  collection: string;
  bytes: Buffer;
}

const HEAD = 1;
const COLLECTION = 2;
const ROW = 3;
const END = 4;
/** MongoDB's limit on a row is 16 MB. */
const FRAME_MAX_BYTES = 17 * 1024 * 1024;
/** The fastest: while MongoDB is paused, others wait. */
const GZIP_LEVEL = 1;

const frame = (type: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(type), bytes], bytes.length + 1);

async function* framesOf(
  head: ArchiveHead,
  rows: AsyncIterable<ArchivedRow>,
): AsyncGenerator<Buffer> {
  yield frame(HEAD, BSON.serialize(head));
  let current: string | null = null;
  let count = 0;
  for await (const { collection, bytes } of rows) {
    if (collection !== current) yield frame(COLLECTION, BSON.serialize({ name: collection }));
    current = collection;
    count++;
    yield frame(ROW, bytes);
  }
  yield frame(END, BSON.serialize({ rows: count }));
}

/** Writes an archive, which appears at its path when it is complete. */
export async function writeArchive(
  path: string,
  key: Buffer,
  head: ArchiveHead,
  rows: AsyncIterable<ArchivedRow>,
): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await pipeline(
      Readable.from(framesOf(head, rows), { objectMode: true, highWaterMark: 16 }),
      createGzip({ level: GZIP_LEVEL }),
      encrypt(key),
      createWriteStream(unfinished, { mode: 0o600 }),
    );
    const file = await open(unfinished, 'r+');
    await file.sync();
    await file.close();
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/**
 * Reads an archive: its head, then its rows.
 * @throws ArchiveError when the key is wrong, or the file isn't exactly what was written
 */
export async function* readArchive(
  path: string,
  key: Buffer,
): AsyncGenerator<{ head: ArchiveHead; row?: undefined } | { head?: undefined; row: ArchivedRow }> {
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  const decrypted = decrypt(key);
  const content = createGunzip();
  const piped = pipeline(file, decrypted, content).catch((error: unknown) => error);
  let collection = '';
  let count = 0;
  let isComplete = false;
  try {
    for await (const { type, bytes } of splitFrames(content)) {
      if (isComplete) throw new ArchiveError('The backup is damaged: something follows its end.');
      if (type === HEAD) yield { head: BSON.deserialize(bytes) as ArchiveHead };
      else if (type === COLLECTION) collection = String(BSON.deserialize(bytes)['name']);
      else if (type === ROW) {
        count++;
        yield { row: { collection, bytes } };
      } else if (type === END && BSON.deserialize(bytes)['rows'] === count) isComplete = true;
      else throw new ArchiveError('The backup is damaged.');
    }
  } catch (error) {
    // The end of a stream that failed before this one.
    throw (await piped) ?? error;
  } finally {
    file.destroy();
    content.destroy();
    await piped;
  }
  if (!isComplete) throw new ArchiveError('The backup is incomplete.');
}

async function* splitFrames(
  content: AsyncIterable<Buffer>,
): AsyncGenerator<{ type: number; bytes: Buffer }> {
  let rest: Buffer = Buffer.alloc(0);
  let waiting: Buffer[] = [];
  let bytes = 0;
  let wanted = 5;
  for await (const piece of content) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < wanted) continue;
    rest = Buffer.concat(waiting, bytes);
    for (wanted = 5; rest.length >= 5; wanted = 5) {
      const length = rest.readInt32LE(1);
      if (length < 5 || length > FRAME_MAX_BYTES) throw new ArchiveError('The backup is damaged.');
      wanted = length + 1;
      if (rest.length < wanted) break;
      yield { type: rest[0]!, bytes: rest.subarray(1, wanted) };
      rest = rest.subarray(wanted);
    }
    waiting = [rest];
    bytes = rest.length;
  }
  if (bytes > 0) throw new ArchiveError('The backup is incomplete.');
}

/** Reads the first frame only. @throws ArchiveError when it can't be read */
export async function readHead(path: string, key: Buffer): Promise<ArchiveHead> {
  for await (const { head } of readArchive(path, key)) if (head) return head;
  throw new ArchiveError('The backup is empty.');
}

/** Reads the whole archive. @throws ArchiveError when anything in it can't be read */
export async function verifyArchive(
  path: string,
  key: Buffer,
): Promise<{ head: ArchiveHead; rows: number }> {
  let first: ArchiveHead | undefined;
  let rows = 0;
  for await (const { head, row } of readArchive(path, key))
    if (head) first = head;
    else if (row) rows++;
  if (!first) throw new ArchiveError('The backup is empty.');
  return { head: first, rows };
}
