import { ByteReader, hexOf } from './byte-reader.ts';
import { messageLimits } from './limits.ts';
import { Refusal } from './refusals.ts';

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
export const HASH_BYTES = 32;
const HASHES_MAX = 4096;
const HAVES_MAX = 16;
const BLOOM_ENTRY_BITS_MAX = 32;
const BLOOM_PROBES_MAX = 16;

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
    hashes.push(hexOf(reader.take(HASH_BYTES)));
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
