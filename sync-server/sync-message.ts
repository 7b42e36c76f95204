import { ByteReader } from './bytes.ts';

/** One message of Automerge's sync protocol, as its bytes have it. */
export interface SyncMessage {
  /** Hashes in hexadecimal. */
  heads: string[];
  need: string[];
  /** Chunks as Automerge writes them; in version 2 one may be a whole document. */
  chunks: Uint8Array[];
}

const V1 = 0x42;
const V2 = 0x43;
const HASH_BYTES = 32;
const HASHES_MAX = 4096;
const HAVES_MAX = 16;
const CHUNKS_MAX = 10_000;
const BLOOM_ENTRY_BITS_MAX = 32;
const BLOOM_PROBES_MAX = 16;
/** Of a count that is written; and of what is written besides counts, hashes and chunks. */
const COUNT_MAX_BYTES = 5;
const FIXED_BYTES = 8;

/** How a sender says what it understands: version 2, resets, and that it takes no changes. */
const CAPABILITIES = [2, 0x02, 0x84];
const CAPABILITIES_READ_ONLY = [2, 0x02, 0x86];

/**
 * Reads a message without Automerge, which would trust its numbers.
 * @throws when it is none, or asks for more than an honest peer does
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
  if (count > CHUNKS_MAX) throw new Error('too many chunks');
  const chunks: Uint8Array[] = [];
  for (let i = 0; i < count; i++) chunks.push(reader.take(reader.count()));
  return { heads, need, chunks };
}

function readHashes(reader: ByteReader): string[] {
  const count = reader.count();
  if (count > HASHES_MAX) throw new Error('too many hashes');
  const hashes: string[] = [];
  for (let i = 0; i < count; i++) {
    const hash = reader.take(HASH_BYTES);
    hashes.push(Buffer.from(hash.buffer, hash.byteOffset, HASH_BYTES).toString('hex'));
  }
  // A large change that is needed thousands of times in one message would be answered with gigabytes.
  if (new Set(hashes).size < count) throw new Error('repeated hashes');
  return hashes;
}

/** A filter that names many probes would keep Automerge busy for minutes. */
function checkBloom(bloom: Uint8Array): void {
  if (bloom.length === 0) return;
  const reader = new ByteReader(bloom);
  const entries = reader.count();
  const bitsPerEntry = reader.count();
  const probes = reader.count();
  if (bitsPerEntry > BLOOM_ENTRY_BITS_MAX || probes > BLOOM_PROBES_MAX)
    throw new Error('a costly filter');
  reader.skip(Math.ceil((entries * bitsPerEntry) / 8));
}

/**
 * Writes a message that carries everything the peer lacks: what we have in common with it afterwards is all we have,
 * so that it answers with what we lack and nothing else.
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
  // Needs nothing, and has one thing: all of it.
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

/** Writes an unsigned LEB128 number. @returns where it ends */
function putCount(out: Buffer, at: number, value: number): number {
  let left = value;
  while (left > 0x7f) {
    at = out.writeUInt8((left & 0x7f) | 0x80, at);
    left = Math.floor(left / 128);
  }
  return out.writeUInt8(left, at);
}
