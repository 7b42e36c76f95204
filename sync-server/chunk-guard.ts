import { inflateRawSync } from 'node:zlib';
import { ByteReader } from './bytes.ts';
import { EXPANDED_MAX, INFLATED_MAX_BYTES } from './limits.ts';

const MAGIC = [0x85, 0x6f, 0x4a, 0x83];
const DOCUMENT = 0;
const CHANGE = 1;
const DEFLATED_CHANGE = 2;
const HASH_BYTES = 32;
const TYPE_AT = 8;

const DEFLATED_COLUMN = 8;
const BOOLEAN_COLUMN = 4;
const STRING_COLUMN = 5;
const RAW_COLUMN = 7;
/** Of a whole document's changes, when each was made: differences. */
const TIME_COLUMN = 0x23;

/** What chunks are at most when they are unpacked. */
export interface Unpacked {
  bytes: number;
  operations: number;
  /** When the latest of them says that it was made, in seconds; 0 where none says it. */
  latestTime: number;
  /** Whether they are one change and nothing else, as most are. */
  isOneChange: boolean;
}

/** What is left of a message's allowance while its chunks are looked through. */
interface Allowance {
  bytes: number;
  expanded: number;
  /** Of the changes so far. */
  latestTime: number;
}

/** @throws ChunkError when a chunk is none, or would become too large */
export class ChunkError extends Error {}

/** A peer's message that no honest peer sends. */
export class Violation extends Error {}

/**
 * Looks through chunks before Automerge sees them: a frame of 97 kB can hold a string of 100 MB, and a run-length
 * column of ten bytes a billion operations. Nothing is inflated beyond what is allowed.
 * @returns what they come to
 * @throws ChunkError
 */
export function guardChunks(chunks: Uint8Array[]): Unpacked {
  const allowance: Allowance = {
    bytes: INFLATED_MAX_BYTES,
    expanded: EXPANDED_MAX,
    latestTime: 0,
  };
  let operations = 0;
  let count = 0;
  try {
    for (const bytes of chunks) {
      const reader = new ByteReader(bytes);
      while (!reader.done) {
        operations += guardChunk(reader, allowance);
        count++;
      }
    }
  } catch (error) {
    throw error instanceof ChunkError ? error : new ChunkError((error as Error).message);
  }
  const isOneChange = count === 1 && chunks.length === 1 && chunks[0]![TYPE_AT] === CHANGE;
  const { latestTime } = allowance;
  return { operations, bytes: INFLATED_MAX_BYTES - allowance.bytes, latestTime, isOneChange };
}

function guardChunk(reader: ByteReader, allowance: Allowance): number {
  for (const byte of MAGIC) if (reader.byte() !== byte) throw new ChunkError('not a chunk');
  reader.skip(4);
  const type = reader.byte();
  const body = reader.take(reader.count());
  if (type === DOCUMENT) return guardDocument(new ByteReader(body), allowance);
  if (type === CHANGE) return guardChange(new ByteReader(spend(body, allowance)), allowance);
  if (type === DEFLATED_CHANGE)
    return guardChange(new ByteReader(inflate(body, allowance)), allowance);
  throw new ChunkError('unknown type of chunk');
}

function guardChange(reader: ByteReader, allowance: Allowance): number {
  reader.skip(reader.count() * HASH_BYTES);
  reader.skip(reader.count());
  // Its number, and that of its first operation.
  reader.skipNumber();
  reader.skipNumber();
  allowance.latestTime = Math.max(allowance.latestTime, reader.signedNumber());
  reader.skip(reader.count());
  for (let actors = reader.count(); actors > 0; actors--) reader.skip(reader.count());
  return guardColumns(reader, readColumns(reader), allowance);
}

function guardDocument(reader: ByteReader, allowance: Allowance): number {
  for (let actors = reader.count(); actors > 0; actors--) reader.skip(reader.count());
  reader.skip(reader.count() * HASH_BYTES);
  const changes = readColumns(reader);
  const operations = readColumns(reader);
  guardColumns(reader, changes, allowance, TIME_COLUMN);
  return guardColumns(reader, operations, allowance);
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

/**
 * @param times the column that says when changes were made, where there is one
 * @returns the length of the longest column: the number of rows or more
 */
function guardColumns(
  reader: ByteReader,
  columns: Column[],
  allowance: Allowance,
  times?: number,
): number {
  let longest = 0;
  for (const { spec, length } of columns) {
    const stored = reader.take(length);
    const data = spec & DEFLATED_COLUMN ? inflate(stored, allowance) : spend(stored, allowance);
    const rows = countRows(spec & 7, data, allowance.expanded);
    longest = Math.max(longest, rows);
    if ((spec & ~DEFLATED_COLUMN) === times)
      allowance.latestTime = Math.max(allowance.latestTime, latestOf(data));
  }
  allowance.expanded -= longest;
  return longest;
}

/** Counts what a column expands to, giving up at `max`. */
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
        if (rows > max) throw new ChunkError('expands too far');
        for (let i = run; i < 0; i++) skipValue(reader, type);
      } else rows += reader.count();
    }
    if (rows > max) throw new ChunkError('expands too far');
  }
  return rows;
}

/** The highest sum in a column of differences, whose rows were counted before. */
function latestOf(differences: Uint8Array): number {
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

function skipValue(reader: ByteReader, type: number): void {
  if (type === STRING_COLUMN) reader.skip(reader.count());
  else reader.skipNumber();
}

function spend(bytes: Uint8Array, allowance: Allowance): Uint8Array {
  allowance.bytes -= bytes.length;
  if (allowance.bytes < 0) throw new ChunkError('inflates too far');
  return bytes;
}

function inflate(bytes: Uint8Array, allowance: Allowance): Uint8Array {
  return spend(inflateRawSync(bytes, { maxOutputLength: Math.max(1, allowance.bytes) }), allowance);
}
