import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/time.ts';
import { ArchiveError, readBackupKey } from '../../scripts/backup/archive-encryption.ts';
import {
  readArchive,
  verifyArchive,
  writeArchive,
  type ArchiveHead,
} from '../../scripts/backup/archive.ts';
import { deleteOldArchives, listArchives } from '../../scripts/backup/create-backup.ts';

const key = randomBytes(32);
const head: ArchiveHead = {
  id: 'one',
  kind: 'full',
  at: new Date(0),
  base: null,
  consistency: 'snapshot',
  sync_secret: 'marked-secret',
  sync_secret_hash: null,
};
const ROWS = 300;

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leashwise-archive-'));
  path = join(folder, 'one.backup');
  async function* rows() {
    for (let i = 0; i < ROWS; i++) {
      const collection = i < 10 ? 'first' : 'second';
      // Random, so that the content is larger than a chunk.
      yield {
        collection,
        bytes: Buffer.from(BSON.serialize({ _id: i, text: 'marked-text', r: randomBytes(4_000) })),
      };
    }
  }
  await writeArchive(path, key, head, rows());
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a changed copy. @returns its path */
async function changed(change: (bytes: Buffer) => Buffer): Promise<string> {
  const copy = join(folder, 'changed.backup');
  await writeFile(copy, change(await readFile(path)));
  return copy;
}

test('an archive is read as it was written, and contains no plain text', async () => {
  const read: unknown[] = [];
  for await (const { row } of readArchive(path, key))
    if (row) read.push([row.collection, BSON.deserialize(row.bytes)['_id']]);
  expect(read).toHaveLength(ROWS);
  expect(read.slice(9, 11)).toEqual([
    ['first', 9],
    ['second', 10],
  ]);
  expect((await verifyArchive(path, key)).head).toEqual(head);
  const bytes = await readFile(path);
  for (const text of ['marked-text', 'marked-secret', 'second'])
    expect(bytes.includes(text)).toBe(false);
});

test('a wrong key is refused', async () => {
  await expect(verifyArchive(path, randomBytes(32))).rejects.toThrow(
    'The backup key is wrong, or the backup was changed.',
  );
});

test.each([
  ['a bit', (bytes: Buffer) => (bytes.writeUInt8(bytes[700_000]! ^ 1, 700_000), bytes)],
  ['its salt', (bytes: Buffer) => (bytes.writeUInt8(bytes[20]! ^ 1, 20), bytes)],
  ['its end', (bytes: Buffer) => bytes.subarray(0, -100)],
  [
    'its last chunk',
    (bytes: Buffer) => {
      const chunk = 4 + 256 * 1024 + 16;
      const start = 48;
      return bytes.subarray(0, start + chunk * Math.floor((bytes.length - start) / chunk));
    },
  ],
  [
    'the order of its chunks',
    (bytes: Buffer) => {
      const chunk = 4 + 256 * 1024 + 16;
      const [first, second] = [48, 48 + chunk];
      return Buffer.concat([
        bytes.subarray(0, first),
        bytes.subarray(second, second + chunk),
        bytes.subarray(first, second),
        bytes.subarray(second + chunk),
      ]);
    },
  ],
  ['what follows its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(64)])],
  ['everything', () => Buffer.from('This is something else, and long enough for a header of it.')],
])('an archive of which %s was changed is refused', async (_, change) => {
  await expect(verifyArchive(await changed(change), key)).rejects.toThrow(ArchiveError);
});

test('the key comes from a file or the environment, never without one', async () => {
  const file = join(folder, 'backup.key');
  await writeFile(file, `${key.toString('hex')}\n`);
  expect(readBackupKey({ BACKUP_KEY_FILE: file })).toEqual(key);
  expect(readBackupKey({ BACKUP_KEY: key.toString('hex') })).toEqual(key);
  // docker-compose.yml passes both.
  const both = { BACKUP_KEY_FILE: '/dev/null', BACKUP_KEY: key.toString('hex') };
  expect(readBackupKey(both)).toEqual(key);
  const missing = { BACKUP_KEY_FILE: join(folder, 'missing.key') };
  expect(() => readBackupKey(missing)).toThrow(/missing\.key \(ENOENT\)/);
  expect(() => readBackupKey({})).toThrow('openssl rand');
  expect(() => readBackupKey({ BACKUP_KEY: 'short' })).toThrow('64 hexadecimal');
});

test('old archives are deleted, except the full one that newer ones need', async () => {
  const old = await mkdtemp(join(tmpdir(), 'leashwise-archives-'));
  try {
    const nameOf = (kind: string, days: number) =>
      `${kind}-${new Date(Date.now() - days * DAY_MS).toISOString().replaceAll(/[:.]/g, '-')}.backup`;
    const [first, changes, second, third] = [
      nameOf('full', 40),
      nameOf('changes', 39),
      nameOf('full', 35),
      nameOf('full', 5),
    ];
    for (const name of [first, changes, second, third, 'notes.txt'])
      await writeFile(join(old, name), '');
    const deleted = await deleteOldArchives(old, 30);
    expect(deleted).toEqual([join(old, first), join(old, changes)]);
    expect((await listArchives(old)).map(({ path: left }) => left)).toEqual([
      join(old, second),
      join(old, third),
    ]);
  } finally {
    await rm(old, { recursive: true });
  }
});
