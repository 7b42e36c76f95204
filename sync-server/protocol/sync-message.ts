import { hash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { messageLimits } from '#shared/sync/limits.ts';
import { Refusal } from './refusal.ts';

/** A parsed message of Automerge's sync protocol. */
export interface SyncMessage {
  /** Hashes in hexadecimal. */
  heads: string[];
  need: string[];
  /** Chunks in Automerge's binary format; in version 2, a chunk may be a whole document. */
  chunks: Uint8Array[];
}

const V1 = 0x42;
const V2 = 0x43;
const HASH_BYTES = 32;
const HASHES_MAX = 4096;
const HAVES_MAX = 16;
const BLOOM_ENTRY_BITS_MAX = 32;
const BLOOM_PROBES_MAX = 16;
/** Maximum size of a written count, and the size of everything in a message besides counts, hashes and chunks. */
const COUNT_MAX_BYTES = 5;
const FIXED_BYTES = 8;

/** Capabilities of the sender: version 2, resets, and (read-only) that it accepts no changes. */
const CAPABILITIES = [2, 0x02, 0x84];
const CAPABILITIES_READ_ONLY = [2, 0x02, 0x86];

const MAGIC = [0x85, 0x6f, 0x4a, 0x83];
const DOCUMENT = 0;
const CHANGE = 1;
const DEFLATED_CHANGE = 2;
const TYPE_AT = 8;

const DEFLATED_COLUMN = 8;
const BOOLEAN_COLUMN = 4;
const STRING_COLUMN = 5;
const RAW_COLUMN = 7;
/** The times of a whole document's changes, delta-encoded. */
const TIME_COLUMN = 0x23;
/** Columns with several values per row: dependencies of changes, and operations that others replace or are replaced by. */
const REFERENCE_COLUMNS = new Set([0x43, 0x71, 0x73, 0x81, 0x83]);
/** The actions of operations. Clients write no marks, and Automerge applies marks that it cannot load again. */
const ACTION_COLUMN = 0x42;
const LAST_ACTION = 6;

/**
 * Parses a message without Automerge, which would trust its numbers.
 * @throws when it is malformed or exceeds the limits of a correct client
 */
export function readSyncMessage(data: Uint8Array): SyncMessage {
  const reader = new ByteReader(data);
  const version = reader.byte();
  if (version !== V1 && version !== V2) throw new Error('unknown version of sync message');
  const heads = readHashes(reader);
  const need = readHashes(reader);
  const haves = reader.count();
  if (haves > HAVES_MAX) throw new Error('too many haves');
  for (let i = 0; i < haves; i++) {
    readHashes(reader);
    checkBloom(reader.take(reader.count()));
  }
  const count = reader.count();
  if (count > messageLimits.changes) throw new Refusal('too_large', 'too many chunks');
  const chunks: Uint8Array[] = [];
  for (let i = 0; i < count; i++) chunks.push(reader.take(reader.count()));
  return { heads, need, chunks };
}

/** Reads hashes in hexadecimal. @throws when there are too many, or one is repeated */
export function readHashes(reader: ByteReader): string[] {
  const count = reader.count();
  if (count > HASHES_MAX) throw new Refusal('too_large', 'too many hashes');
  const hashes: string[] = [];
  for (let i = 0; i < count; i++) {
    const hash = reader.take(HASH_BYTES);
    hashes.push(Buffer.from(hash.buffer, hash.byteOffset, HASH_BYTES).toString('hex'));
  }
  // Requesting a large change thousands of times in one message would be answered with gigabytes.
  if (new Set(hashes).size < count) throw new Error('repeated hashes');
  return hashes;
}

/** A Bloom filter with many probes would block Automerge for minutes. @throws when it exceeds the limits */
function checkBloom(bloom: Uint8Array): void {
  if (bloom.length === 0) return;
  const reader = new ByteReader(bloom);
  const entries = reader.count();
  const bitsPerEntry = reader.count();
  const probes = reader.count();
  if (bitsPerEntry > BLOOM_ENTRY_BITS_MAX || probes > BLOOM_PROBES_MAX)
    throw new Error('Bloom filter too expensive');
  reader.skip(Math.ceil((entries * bitsPerEntry) / 8));
}

/**
 * Writes a message with every change that the peer lacks. It states our heads as common, so the peer answers only with
 * changes that we lack.
 */
export function writeSyncMessage(
  heads: readonly string[],
  chunks: readonly Uint8Array[],
  readOnly: boolean,
): Buffer {
  const hashes = heads.length * HASH_BYTES;
  const most = chunks.reduce((sum, chunk) => sum + COUNT_MAX_BYTES + chunk.length, 0);
  const message = Buffer.allocUnsafe(2 * hashes + most + 4 * COUNT_MAX_BYTES + FIXED_BYTES);
  let at = message.writeUInt8(V2, 0);
  at = putCount(message, at, heads.length);
  const first = at;
  for (const head of heads) at += message.write(head, at, HASH_BYTES, 'hex');
  // No `need`, and one `have`: all heads.
  at = message.writeUInt16BE(0x00_01, at);
  at = putCount(message, at, heads.length);
  message.copyWithin(at, first, first + hashes);
  at = message.writeUInt8(0, at + hashes);
  at = putCount(message, at, chunks.length);
  for (const chunk of chunks) {
    at = putCount(message, at, chunk.length);
    message.set(chunk, at);
    at += chunk.length;
  }
  for (const byte of readOnly ? CAPABILITIES_READ_ONLY : CAPABILITIES)
    at = message.writeUInt8(byte, at);
  return message.subarray(0, at);
}

/** Writes an unsigned LEB128 number. @returns the offset after it */
function putCount(out: Buffer, at: number, value: number): number {
  let left = value;
  while (left > 0x7f) {
    at = out.writeUInt8((left & 0x7f) | 0x80, at);
    left = Math.floor(left / 128);
  }
  return out.writeUInt8(left, at);
}

/** Upper bounds of what chunks contain when they are decompressed. */
export interface ChunkStats {
  bytes: number;
  operations: number;
  /** The number of operations of the largest change that is not part of a whole document. */
  largestChange: number;
  /** Timestamp of the latest change in seconds; 0 if no change has one. */
  latestTime: number;
  /** Whether there is a single change and nothing else, as in most messages. */
  isOneChange: boolean;
}

/** What remains of a message's limits while its chunks are validated. */
interface Remaining {
  bytes: number;
  operations: number;
  changes: number;
  references: number;
  largestChange: number;
  /** Of the changes so far, in seconds. */
  latestTime: number;
}

/**
 * Validates chunks before Automerge reads them: a frame of 97 kB can contain a string of 100 MB, and a run-length
 * column of ten bytes a billion operations. Nothing is decompressed beyond the limits.
 * @throws Refusal
 */
export function validateChunks(chunks: Uint8Array[]): ChunkStats {
  const remaining: Remaining = { ...messageLimits, largestChange: 0, latestTime: 0 };
  let count = 0;
  try {
    for (const bytes of chunks) {
      const reader = new ByteReader(bytes);
      while (!reader.done) {
        validateChunk(reader, remaining);
        count++;
      }
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('invalid', (error as Error).message);
  }
  const isOneChange = count === 1 && chunks.length === 1 && chunks[0]![TYPE_AT] === CHANGE;
  const { latestTime, largestChange } = remaining;
  return {
    operations: messageLimits.operations - remaining.operations,
    bytes: messageLimits.bytes - remaining.bytes,
    largestChange,
    latestTime,
    isOneChange,
  };
}

/**
 * Reads a single change that Automerge has written.
 * @returns its hash and those of the changes that it depends on, in hexadecimal, and its decompressed body
 */
export function openChange(change: Uint8Array): {
  hash: string;
  dependencies: string[];
  body: Uint8Array;
} {
  const reader = new ByteReader(change);
  reader.skip(TYPE_AT);
  const isDeflated = reader.byte() === DEFLATED_CHANGE;
  const stored = reader.take(reader.count());
  let [hashed, body] = [change.subarray(TYPE_AT), stored];
  if (isDeflated) {
    body = inflateRawSync(stored, { maxOutputLength: messageLimits.bytes });
    const head = Buffer.alloc(1 + COUNT_MAX_BYTES);
    const length = putCount(head, head.writeUInt8(CHANGE, 0), body.length);
    hashed = Buffer.concat([head.subarray(0, length), body]);
  }
  return { hash: hash('sha256', hashed), dependencies: readHashes(new ByteReader(body)), body };
}

function validateChunk(reader: ByteReader, remaining: Remaining): void {
  for (const byte of MAGIC) if (reader.byte() !== byte) throw new Refusal('invalid', 'not a chunk');
  reader.skip(4);
  const type = reader.byte();
  const body = reader.take(reader.count());
  if (type === DOCUMENT) return validateDocument(new ByteReader(body), remaining);
  if (type === CHANGE) return validateChange(new ByteReader(charge(body, remaining)), remaining);
  if (type === DEFLATED_CHANGE)
    return validateChange(new ByteReader(inflate(body, remaining)), remaining);
  throw new Refusal('invalid', 'unknown type of chunk');
}

function validateChange(reader: ByteReader, remaining: Remaining): void {
  spend(remaining, 'changes', 1);
  reader.skip(reader.count() * HASH_BYTES);
  reader.skip(reader.count());
  // Sequence number and number of the first operation.
  reader.skipNumber();
  reader.skipNumber();
  remaining.latestTime = Math.max(remaining.latestTime, reader.signedNumber());
  reader.skip(reader.count());
  for (let actors = reader.count(); actors > 0; actors--) reader.skip(reader.count());
  const operations = validateColumns(reader, readColumns(reader), remaining, 'operations');
  remaining.largestChange = Math.max(remaining.largestChange, operations);
}

function validateDocument(reader: ByteReader, remaining: Remaining): void {
  for (let actors = reader.count(); actors > 0; actors--) reader.skip(reader.count());
  reader.skip(reader.count() * HASH_BYTES);
  const changes = readColumns(reader);
  const operations = readColumns(reader);
  validateColumns(reader, changes, remaining, 'changes');
  validateColumns(reader, operations, remaining, 'operations');
}

interface Column {
  spec: number;
  length: number;
}

function readColumns(reader: ByteReader): Column[] {
  const columns: Column[] = [];
  for (let count = reader.count(); count > 0; count--)
    columns.push({ spec: reader.count(), length: reader.count() });
  return columns;
}

/** @param rows what the columns describe. @returns how many */
function validateColumns(
  reader: ByteReader,
  columns: Column[],
  remaining: Remaining,
  rows: 'operations' | 'changes',
): number {
  let longest = 0;
  let references = 0;
  for (const { spec, length } of columns) {
    const stored = reader.take(length);
    const data = spec & DEFLATED_COLUMN ? inflate(stored, remaining) : charge(stored, remaining);
    const column = spec & ~DEFLATED_COLUMN;
    if (REFERENCE_COLUMNS.has(column))
      references = Math.max(references, countRows(spec & 7, data, remaining.references));
    else longest = Math.max(longest, countRows(spec & 7, data, remaining[rows]));
    if (rows === 'changes' && column === TIME_COLUMN)
      remaining.latestTime = Math.max(remaining.latestTime, latestInColumn(data));
    if (column === ACTION_COLUMN && highestInColumn(data) > LAST_ACTION)
      throw new Refusal('invalid', 'unknown action');
  }
  spend(remaining, rows, longest);
  spend(remaining, 'references', references);
  return longest;
}

function spend(
  remaining: Remaining,
  what: 'operations' | 'changes' | 'references',
  count: number,
): void {
  remaining[what] -= count;
  if (remaining[what] < 0) throw new Refusal('too_large', 'too many changes or operations');
}

/** Counts the rows of a column. @throws Refusal above `max` */
function countRows(type: number, data: Uint8Array, max: number): number {
  if (type === RAW_COLUMN) return 0;
  const reader = new ByteReader(data);
  let rows = 0;
  while (!reader.done) {
    if (type === BOOLEAN_COLUMN) rows += reader.count();
    else {
      const run = reader.signedCount();
      if (run > 0) {
        rows += run;
        skipValue(reader, type);
      } else if (run < 0) {
        rows -= run;
        if (rows > max) throw new Refusal('too_large', 'expands too far');
        for (let i = run; i < 0; i++) skipValue(reader, type);
      } else rows += reader.count();
    }
    if (rows > max) throw new Refusal('too_large', 'expands too far');
  }
  return rows;
}

/** Returns the highest value of a delta-encoded column whose rows were counted before. */
function latestInColumn(differences: Uint8Array): number {
  const reader = new ByteReader(differences);
  let time = 0;
  let latest = 0;
  const add = (difference: number, times: number) => {
    time += difference * times;
    latest = Math.max(latest, time);
  };
  while (!reader.done) {
    const run = reader.signedCount();
    if (run > 0) add(reader.signedNumber(), run);
    else if (run < 0) for (let i = run; i < 0; i++) add(reader.signedNumber(), 1);
    else reader.count();
  }
  return latest;
}

/** Returns the highest value of a run-length encoded column whose rows were counted before. */
function highestInColumn(runs: Uint8Array): number {
  const reader = new ByteReader(runs);
  let highest = 0;
  while (!reader.done) {
    const run = reader.signedCount();
    if (run === 0) reader.count();
    for (let values = run > 0 ? 1 : -run; values > 0; values--)
      highest = Math.max(highest, reader.count());
  }
  return highest;
}

function skipValue(reader: ByteReader, type: number): void {
  if (type === STRING_COLUMN) reader.skip(reader.count());
  else reader.skipNumber();
}

function charge(bytes: Uint8Array, remaining: Remaining): Uint8Array {
  remaining.bytes -= bytes.length;
  if (remaining.bytes < 0) throw new Refusal('too_large', 'inflates too far');
  return bytes;
}

function inflate(bytes: Uint8Array, remaining: Remaining): Uint8Array {
  return charge(inflated(bytes, Math.max(1, remaining.bytes)), remaining);
}

function inflated(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Refusal(isTooLarge ? 'too_large' : 'invalid', (error as Error).message);
  }
}

/** Reads the numbers and slices of Automerge's binary formats. Throws at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('unexpected end');
    return byte;
  }

  /** Reads an unsigned LEB128 number of at most 35 bits: a count or length. */
  count(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error('count out of range');
  }

  /** Reads a signed LEB128 number of at most 35 bits: a run length. */
  signedCount(): number {
    return this.signedNumber(35);
  }

  /** Reads a signed LEB128 number of up to 70 bits; large ones lose precision. */
  signedNumber(maxBits = 70): number {
    let value = 0;
    for (let shift = 0; shift < maxBits; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    throw new Error('number out of range');
  }

  /** Skips a LEB128 number of up to 70 bits. */
  skipNumber(): void {
    for (let i = 0; i < 10; i++) if (this.byte() < 0x80) return;
    throw new Error('number out of range');
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('unexpected end');
    const slice = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return slice;
  }

  skip(length: number): void {
    if (this.#at + length > this.#bytes.length) throw new Error('unexpected end');
    this.#at += length;
  }
}
