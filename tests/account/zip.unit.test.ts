import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { assert, asyncProperty, record, string, uint8Array, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { zip, zipLength, type ZipEntry } from '../../api/features/account/zip.ts';
import { unzip } from './unzip.ts';

const entry = (path: string, content: Uint8Array): ZipEntry => ({
  path,
  bytes: content.length,
  read: async () => content,
});
const at = new Date('2026-11-21T10:20:30Z');

test('an archive contains every file byte for byte and has the announced length', async () => {
  const files = uniqueArray(
    record({
      path: string().map((name) => `files/${name}.bin`),
      content: uint8Array({ maxLength: 2000 }),
    }),
    { selector: ({ path }) => path, maxLength: 20 },
  );
  await assert(
    asyncProperty(files, async (made) => {
      const entries = made.map(({ path, content }) => entry(path, content));
      const archive = await buffer(zip(entries, at));
      expect(archive.length).toBe(zipLength(entries));
      const found = unzip(archive);
      expect([...found.keys()]).toEqual(made.map(({ path }) => Buffer.from(path).toString()));
      for (const { path, content } of made)
        expect(found.get(Buffer.from(path).toString())).toEqual(Buffer.from(content));
    }),
    { numRuns: 60 },
  );
});

test('Python reads a created archive', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'zip-'));
  try {
    const archive = join(directory, 'a.zip');
    const entries = [entry('a/ü.txt', Buffer.from('Grüße')), entry('b.bin', Buffer.alloc(5000, 7))];
    await writeFile(archive, await buffer(zip(entries, at)));
    const python = `import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2]); print([i.date_time for i in z.infolist()])`;
    const { stdout } = await promisify(execFile)('python3', ['-c', python, archive, directory]);
    expect(stdout).toContain('(2026, 11, 21, 10, 20, 30)');
    expect(await readFile(join(directory, 'a/ü.txt'), 'utf8')).toBe('Grüße');
    expect(await readFile(join(directory, 'b.bin'))).toEqual(Buffer.alloc(5000, 7));
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('fails when a file does not have the announced length', async () => {
  const lying = { ...entry('a', Buffer.from('four')), bytes: 3 };
  await expect(buffer(zip([lying], at))).rejects.toThrow('a changed while it was read');
});
