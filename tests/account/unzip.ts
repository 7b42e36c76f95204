import { crc32 } from 'node:zlib';

/** Reads a zip of uncompressed files through its central directory and verifies every checksum. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('the end record is missing');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('the directory entry is missing');
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.subarray(at + 46, at + 46 + nameLength).toString();
    const local = archive.readUInt32LE(at + 42);
    if (archive.readUInt32LE(local) !== 0x04034b50) throw new Error('the file header is missing');
    const from = local + 30 + archive.readUInt16LE(local + 26);
    const content = archive.subarray(from, from + archive.readUInt32LE(at + 24));
    if (crc32(content) !== archive.readUInt32LE(at + 16)) throw new Error(`${name} is broken`);
    files.set(name, content);
    at += 46 + nameLength;
  }
  if (at !== end) throw new Error('the central directory has extra bytes');
  return files;
}
