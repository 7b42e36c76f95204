import bs58check from 'bs58check';

const UUID_BYTES = 16;

/** Returns the id of a document that follows from bytes, of which the first 16 are used: a UUID in base58check, as automerge-repo writes it. */
export function documentIdFrom(bytes: Uint8Array): string {
  const uuid = Uint8Array.from(bytes.subarray(0, UUID_BYTES));
  // Some versions of automerge-repo read no other 16 bytes: the version, 4, and the variant of a UUID.
  uuid[6] = (uuid[6]! & 0x0f) | 0x40;
  uuid[8] = (uuid[8]! & 0x3f) | 0x80;
  return bs58check.encode(uuid);
}
