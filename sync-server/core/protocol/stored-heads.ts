import { ByteReader } from '#shared/sync/byte-reader.ts';
import { readHashes } from '#shared/sync/sync-message.ts';
import { openChange } from './sync-message.ts';

const TYPE_AT = 8;
const DOCUMENT = 0;

/**
 * Returns the heads of a stored document, without Automerge. A change that the snapshot contains counts as a head if one of the other
 * chunks repeats it.
 * @param chunks a document, and changes that were stored after it
 * @throws when they are malformed
 */
export function headsOfChunks(chunks: readonly Uint8Array[]): string[] {
  const found = new Set<string>();
  const followed = new Set<string>();
  for (const bytes of chunks) {
    const reader = new ByteReader(bytes);
    while (!reader.done) {
      const from = reader.position;
      reader.skip(TYPE_AT);
      const type = reader.byte();
      const body = new ByteReader(reader.take(reader.count()));
      if (type === DOCUMENT) {
        for (let actors = body.count(); actors > 0; actors--) body.skip(body.count());
        for (const head of readHashes(body)) found.add(head);
      } else {
        const { hash: own, dependencies } = openChange(bytes.subarray(from, reader.position));
        found.add(own);
        for (const each of dependencies) followed.add(each);
      }
    }
  }
  return [...found].filter((each) => !followed.has(each)).toSorted();
}
