import { hash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { ByteReader } from '#shared/sync/byte-reader.ts';
import { readOperations, type ChangeOperation } from '#shared/sync/change-operations.ts';
import {
  DEFLATED_CHANGE,
  CHANGE,
  TYPE_AT,
  validateChunks as validate,
  type ChunkLimits,
  type ChunkStats,
} from '#shared/sync/chunks.ts';
import { messageLimits } from '#shared/sync/limits.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import {
  HASH_BYTES,
  readHashes,
  readSyncMessage,
  type SyncMessage,
} from '#shared/sync/sync-message.ts';

/** Maximum size of a written count, and the size of everything in a message besides counts, hashes and chunks. */
const COUNT_MAX_BYTES = 5;
const FIXED_BYTES = 8;

/** Heads that a message may name, and changes that it may ask for: each is looked up. A document has far fewer heads. */
const NAMED_MAX = 512;

/** Parses a message of a device. @throws when it is malformed or exceeds the limits */
export function readDeviceMessage(data: Uint8Array): SyncMessage {
  const message = readSyncMessage(data);
  if (Math.max(message.heads.length, message.need.length) > NAMED_MAX)
    throw new Refusal('too_large', 'too many hashes');
  return message;
}

/** Capabilities of the sender: version 2, resets, and (read-only) that it accepts no changes. */
const CAPABILITIES = [2, 0x02, 0x84];
const CAPABILITIES_READ_ONLY = [2, 0x02, 0x86];
const V2 = 0x43;

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

/**
 * Validates the chunks of a message of a device, or of one that is stored.
 * @throws Refusal
 */
export const validateChunks = (
  chunks: readonly Uint8Array[],
  limits: ChunkLimits = messageLimits,
): ChunkStats => validate(chunks, limits, inflate);

function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Refusal(isTooLarge ? 'too_large' : 'invalid', (error as Error).message);
  }
}

/** Returns the body of a single change that Automerge has written, decompressed. */
export function bodyOf(change: Uint8Array): Uint8Array {
  const reader = new ByteReader(change);
  reader.skip(TYPE_AT);
  const isDeflated = reader.byte() === DEFLATED_CHANGE;
  const stored = reader.take(reader.count());
  return isDeflated ? inflateRawSync(stored, { maxOutputLength: messageLimits.bytes }) : stored;
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
  const body = bodyOf(change);
  let hashed = change.subarray(TYPE_AT);
  if (change[TYPE_AT] === DEFLATED_CHANGE) {
    const head = Buffer.alloc(1 + COUNT_MAX_BYTES);
    const length = putCount(head, head.writeUInt8(CHANGE, 0), body.length);
    hashed = Buffer.concat([head.subarray(0, length), body]);
  }
  return { hash: hash('sha256', hashed), dependencies: readHashes(new ByteReader(body)), body };
}

/** Reads the operations of changes that Automerge has written, one change after the other. */
export function* operationsOf(changes: Iterable<Uint8Array>): Iterable<ChangeOperation[]> {
  for (const change of changes) yield readOperations(bodyOf(change));
}
