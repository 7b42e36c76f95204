const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const LOCAL_LENGTH = 30;
const ENTRY_LENGTH = 46;
const END_LENGTH = 22;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;

/**
 * Returns a ZIP archive with one more file, uncompressed. The archive is copied, not unpacked: a file is added behind the others,
 * and an entry behind those of the directory.
 * @param archive without a comment, and smaller than 4 GB, as the server makes it
 * @throws if it doesn't end like such an archive
 */
export async function addToZip(archive: File, name: string, content: Uint8Array): Promise<File> {
  const end = new DataView(await archive.slice(-END_LENGTH).arrayBuffer());
  if (end.byteLength !== END_LENGTH || end.getUint32(0, true) !== DIRECTORY_END)
    throw new Error('not a ZIP archive');
  const count = end.getUint16(10, true);
  const directoryLength = end.getUint32(12, true);
  const directoryAt = end.getUint32(16, true);

  const path = new TextEncoder().encode(name);
  const crc = crc32(content);
  const local = new DataView(new ArrayBuffer(LOCAL_LENGTH));
  local.setUint32(0, LOCAL_HEADER, true);
  writeFields(local, 4, { path, content, crc });
  const entry = new DataView(new ArrayBuffer(ENTRY_LENGTH));
  entry.setUint32(0, DIRECTORY_ENTRY, true);
  entry.setUint16(4, VERSION, true);
  writeFields(entry, 6, { path, content, crc });
  entry.setUint32(42, directoryAt, true);

  end.setUint16(8, count + 1, true);
  end.setUint16(10, count + 1, true);
  end.setUint32(12, directoryLength + ENTRY_LENGTH + path.length, true);
  end.setUint32(16, directoryAt + LOCAL_LENGTH + path.length + content.length, true);
  const directory = archive.slice(directoryAt, directoryAt + directoryLength);
  const parts = [archive.slice(0, directoryAt), local, path, content, directory, entry, path, end];
  return new File(parts as BlobPart[], archive.name, { type: archive.type });
}

/** Writes the fields that a file's header and its entry in the directory have in common. The time is left out. */
function writeFields(
  view: DataView,
  at: number,
  { path, content, crc }: { path: Uint8Array; content: Uint8Array; crc: number },
): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, FLAGS, true);
  // January 1, 1980: a day of 0 would be invalid.
  view.setUint16(at + 8, 0x21, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, content.length, true);
  view.setUint32(at + 18, content.length, true);
  view.setUint16(at + 22, path.length, true);
}

/** CRC-32 as ZIP uses it. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
