import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { zip } from '../../api/features/account/zip.ts';
import { addToZip } from '../../client/features/account/add-to-zip.ts';
import { unzip } from './unzip.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const entry = (path: string, text: string) => ({
  path,
  bytes: bytes(text).length,
  read: async () => bytes(text),
});

test('a file added to the server’s archive is in it with the others', async () => {
  const made = zip([entry('a.json', '[1]'), entry('files/b.bin', 'bé')], new Date());
  const archive = new File([new Uint8Array(await buffer(made))], 'data.zip');
  const added = await addToZip(archive, 'walks-été.json', bytes('{"walks": "…"}'));
  const files = unzip(Buffer.from(await added.arrayBuffer()));
  expect([...files].map(([name, content]) => [name, content.toString()])).toEqual([
    ['a.json', '[1]'],
    ['files/b.bin', 'bé'],
    ['walks-été.json', '{"walks": "…"}'],
  ]);
  expect(added.name).toBe('data.zip');
});

test('rejects what is not an archive', async () => {
  await expect(addToZip(new File(['not a zip'], 'x.zip'), 'a', bytes(''))).rejects.toThrow(
    'not a ZIP archive',
  );
});
