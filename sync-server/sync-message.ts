import { ByteReader, pushCount } from './bytes.ts';

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
export function writeSyncMessage(heads: string[], chunks: Uint8Array[], readOnly: boolean): Buffer {
  const hashes = Buffer.from(heads.join(''), 'hex');
  const before: number[] = [V2];
  pushCount(before, heads.length);
  const middle: number[] = [0, 1];
  pushCount(middle, heads.length);
  const after: number[] = [0];
  pushCount(after, chunks.length);
  const parts: Uint8Array[] = [
    Buffer.from(before),
    hashes,
    Buffer.from(middle),
    hashes,
    Buffer.from(after),
  ];
  for (const chunk of chunks) {
    const length: number[] = [];
    pushCount(length, chunk.length);
    parts.push(Buffer.from(length), chunk);
  }
  parts.push(Buffer.from(readOnly ? CAPABILITIES_READ_ONLY : CAPABILITIES));
  return Buffer.concat(parts);
}
