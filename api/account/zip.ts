import { crc32 } from 'node:zlib';

/** A file that goes into an archive: its length is known before it is read. */
export interface ZipEntry {
  path: string;
  bytes: number;
  read(): Promise<Uint8Array>;
}

const LOCAL = 30;
const CENTRAL = 46;
const END = 22;
/** Made for format 2.0; names are UTF-8; stored as it is, because what is big in it is compressed already. */
const VERSION = 20;
const UTF8 = 0x0800;
const STORED = 0;
const ENTRIES_MAX = 0xffff;
const BYTES_MAX = 0xffffffff;

const nameOf = (path: string) => Buffer.from(path, 'utf8');

/** How long the archive will be, in bytes. */
export const zipLength = (entries: readonly ZipEntry[]): number =>
  entries.reduce(
    (sum, { path, bytes }) => sum + LOCAL + CENTRAL + 2 * nameOf(path).length + bytes,
    END,
  );

/** Date and time as DOS kept them: two-second steps since 1980. */
function dosTime(at: Date): { time: number; date: number } {
  const year = Math.min(127, Math.max(0, at.getUTCFullYear() - 1980));
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

/** The fields that both headers of an entry share, from the version that is needed on. */
function shared(name: Buffer, content: Uint8Array, at: Date): Buffer {
  const fields = Buffer.alloc(26);
  const { time, date } = dosTime(at);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8, 2);
  fields.writeUInt16LE(STORED, 4);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

/**
 * Writes a ZIP archive piece by piece; one entry at a time is in memory.
 * @throws when there is too much for the format, or an entry is not as long as it was said to be
 */
export async function* zip(entries: readonly ZipEntry[], at: Date): AsyncGenerator<Buffer> {
  if (entries.length > ENTRIES_MAX || zipLength(entries) > BYTES_MAX)
    throw new Error('too much for one archive');
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes, read } of entries) {
    const content = await read();
    if (content.length !== bytes) throw new Error(`${path} changed while it was read`);
    const name = nameOf(path);
    const fields = shared(name, content, at);
    const start = Buffer.alloc(4);
    start.writeUInt32LE(0x04034b50, 0);
    yield Buffer.concat([start, fields, name, content]);
    const central = Buffer.alloc(CENTRAL);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(VERSION, 4);
    fields.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    directory.push(central, name);
    offset += LOCAL + name.length + content.length;
  }
  const records = Buffer.concat(directory);
  const end = Buffer.alloc(END);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(offset, 16);
  yield Buffer.concat([records, end]);
}
