import { ByteReader, hexOf } from './byte-reader.ts';
import { Refusal } from './refusals.ts';
import { HASH_BYTES } from './sync-message.ts';

const MAGIC = [0x85, 0x6f, 0x4a, 0x83];
export const CHANGE = 1;
export const DEFLATED_CHANGE = 2;
const TYPES = ['document', 'change', 'deflated'] as const;
/** The type of a chunk follows its magic bytes and its checksum. */
export const TYPE_AT = 8;

export const DEFLATED_COLUMN = 8;
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

/** How much chunks may contain, decompressed. */
export interface ChunkLimits {
  operations: number;
  changes: number;
  /** References of operations and changes to others, several of which may belong to one. */
  references: number;
  actors: number;
  bytes: number;
}

/** Decompresses bytes (raw deflate). @throws Refusal `too_large` above `maxBytes`, `invalid` when they are damaged */
export type Inflate = (bytes: Uint8Array, maxBytes: number) => Uint8Array;

/** Upper bounds of what chunks contain when they are decompressed. */
export interface ChunkStats {
  bytes: number;
  operations: number;
  changes: number;
  /** The number of operations of the largest change that is not part of a whole document. */
  largestChange: number;
  /** Timestamp of the latest change in seconds; 0 if no change has one. */
  latestTime: number;
  /** Whether there is a single change and nothing else, as in most messages. */
  isOneChange: boolean;
}

/** What remains of the limits while chunks are validated. */
interface Remaining extends ChunkLimits {
  inflate: Inflate;
  seenActors: Set<string>;
  largestChange: number;
  /** Of the changes so far, in seconds. */
  latestTime: number;
}

/**
 * Validates chunks before Automerge reads them: a frame of 97 kB can contain a string of 100 MB, and a run-length
 * column of ten bytes a billion operations. Nothing is decompressed beyond the limits.
 * @throws Refusal
 */
export function validateChunks(
  chunks: readonly Uint8Array[],
  limits: ChunkLimits,
  inflate: Inflate,
): ChunkStats {
  const remaining: Remaining = {
    ...limits,
    inflate,
    seenActors: new Set(),
    largestChange: 0,
    latestTime: 0,
  };
  let count = 0;
  try {
    for (const bytes of chunks)
      eachChunk(bytes, (type, body) => {
        validateChunk(type, body, remaining);
        count++;
      });
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('invalid', (error as Error).message);
  }
  const isOneChange = count === 1 && chunks.length === 1 && chunks[0]![TYPE_AT] === CHANGE;
  const { latestTime, largestChange } = remaining;
  return {
    operations: limits.operations - remaining.operations,
    changes: limits.changes - remaining.changes,
    bytes: limits.bytes - remaining.bytes,
    largestChange,
    latestTime,
    isOneChange,
  };
}

/** Calls a function for each chunk: a whole document, or a change that may be compressed. @throws when they are malformed */
export function eachChunk(
  bytes: Uint8Array,
  visit: (type: 'document' | 'change' | 'deflated', body: Uint8Array) => void,
): void {
  const reader = new ByteReader(bytes);
  while (!reader.done) {
    for (const byte of MAGIC)
      if (reader.byte() !== byte) throw new Refusal('invalid', 'not a chunk');
    reader.skip(4);
    const type = TYPES[reader.byte()];
    if (!type) throw new Refusal('invalid', 'unknown type of chunk');
    visit(type, reader.take(reader.count()));
  }
}

/** Returns each chunk by itself: Automerge may write several behind each other. @throws when they are malformed */
export function separateChunks(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let start = 0;
  eachChunk(bytes, (_, body) => {
    const end = body.byteOffset - bytes.byteOffset + body.length;
    chunks.push(bytes.subarray(start, end));
    start = end;
  });
  return chunks;
}

/** Returns the parts of chunks that are compressed. @throws when they are malformed */
export function deflatedParts(chunks: readonly Uint8Array[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const bytes of chunks)
    eachChunk(bytes, (type, body) => {
      if (type === 'deflated') parts.push(body);
      if (type !== 'document') return;
      const reader = new ByteReader(body);
      skipActorsAndHeads(reader);
      for (const { spec, length } of [...readColumns(reader), ...readColumns(reader)]) {
        const stored = reader.take(length);
        if (spec & DEFLATED_COLUMN) parts.push(stored);
      }
    });
  return parts;
}

/** Skips the beginning of a whole document. */
function skipActorsAndHeads(reader: ByteReader): void {
  for (let actors = reader.count(); actors > 0; actors--) reader.skip(reader.count());
  reader.skip(reader.count() * HASH_BYTES);
}

function validateChunk(
  type: 'document' | 'change' | 'deflated',
  body: Uint8Array,
  remaining: Remaining,
): void {
  if (type === 'document') return validateDocument(new ByteReader(body), remaining);
  const opened = type === 'change' ? charge(body, remaining) : inflate(body, remaining);
  validateChange(new ByteReader(opened), remaining);
}

function validateChange(reader: ByteReader, remaining: Remaining): void {
  spend(remaining, 'changes', 1);
  reader.skip(reader.count() * HASH_BYTES);
  noteActor(reader.take(reader.count()), remaining);
  // Sequence number and number of the first operation.
  reader.skipNumber();
  reader.skipNumber();
  remaining.latestTime = Math.max(remaining.latestTime, reader.signedNumber());
  reader.skip(reader.count());
  for (let actors = reader.count(); actors > 0; actors--) reader.skip(reader.count());
  const operations = validateColumns(reader, readColumns(reader), remaining, {
    rows: 'operations',
    isCharged: true,
  });
  remaining.largestChange = Math.max(remaining.largestChange, operations);
}

function validateDocument(reader: ByteReader, remaining: Remaining): void {
  for (let actors = reader.count(); actors > 0; actors--)
    noteActor(reader.take(reader.count()), remaining);
  reader.skip(reader.count() * HASH_BYTES);
  const changes = readColumns(reader);
  const operations = readColumns(reader);
  validateColumns(reader, changes, remaining, { rows: 'changes' });
  validateColumns(reader, operations, remaining, { rows: 'operations' });
}

function noteActor(actor: Uint8Array, remaining: Remaining): void {
  remaining.seenActors.add(hexOf(actor));
  if (remaining.seenActors.size > remaining.actors)
    throw new Refusal('too_large', 'too many actors');
}

/** A column of rows in Automerge's binary format. */
export interface Column {
  spec: number;
  length: number;
}

/** Reads which columns follow. */
export function readColumns(reader: ByteReader): Column[] {
  const columns: Column[] = [];
  for (let count = reader.count(); count > 0; count--)
    columns.push({ spec: reader.count(), length: reader.count() });
  return columns;
}

/**
 * @param rows what the columns describe
 * @param isCharged whether the bytes that contain the columns were charged
 * @returns how many rows there are
 */
function validateColumns(
  reader: ByteReader,
  columns: Column[],
  remaining: Remaining,
  { rows, isCharged = false }: { rows: 'operations' | 'changes'; isCharged?: boolean },
): number {
  let longest = 0;
  let references = 0;
  for (const { spec, length } of columns) {
    const stored = reader.take(length);
    let data = stored;
    if (spec & DEFLATED_COLUMN) data = inflate(stored, remaining);
    else if (!isCharged) charge(stored, remaining);
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
  return charge(remaining.inflate(bytes, Math.max(1, remaining.bytes)), remaining);
}
