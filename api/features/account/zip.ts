import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';

/** A file that goes into an archive: its length is known before it is read. */
export interface ZipEntry {
  path: string;
  bytes: number;
  read(): Promise<Uint8Array>;
}

/** Returns the length of the archive, in bytes. */
export const zipLength = (entries: readonly ZipEntry[]): number =>
  Number(predictLength(entries.map(({ path, bytes }) => ({ name: path, size: bytes }))));

/**
 * Streams a ZIP archive; one entry at a time is in memory. Nothing is compressed: the images and sounds already are.
 * @throws when an entry is not as long as stated
 */
export function zip(entries: readonly ZipEntry[], at: Date): Readable {
  async function* files() {
    for (const { path, bytes, read } of entries) {
      const input = await read();
      if (input.length !== bytes) throw new Error(`${path} changed while it was read`);
      yield { name: path, input, size: bytes, lastModified: at };
    }
  }
  return Readable.from(makeZip(files()), { objectMode: false });
}
