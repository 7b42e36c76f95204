import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSpool } from '../../api/platform/http/spool.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'spool-test-'));
});
afterEach(() => rm(parent, { recursive: true }));

const leave = async (pid: number) => {
  const path = join(parent, `leashwise-uploads-${pid}-abcdef`);
  await mkdir(join(path, 'request-1'), { recursive: true });
  await writeFile(join(path, 'request-1', 'file'), 'bytes');
  return path;
};

test('removes files that a dead process left when the next one starts', async () => {
  const ended = spawnSync(process.execPath, ['--version']).pid;
  await leave(ended);
  // In a container each process has the same id as the previous one.
  await leave(process.pid);
  const running = await leave(process.ppid);
  await mkdir(join(parent, 'leashwise-other'));
  const spool = await openSpool(parent);
  const left = (await readdir(parent)).map((name) => join(parent, name));
  expect(left.toSorted()).toEqual(
    [join(parent, 'leashwise-other'), running, spool.directory].toSorted(),
  );
  await spool.close();
});

test('two servers in one process leave each other’s files alone', async () => {
  const one = await openSpool(parent);
  const request = await one.open();
  const other = await openSpool(parent);
  expect(await readdir(one.directory)).toHaveLength(1);
  await request.remove();
  expect(await readdir(one.directory)).toEqual([]);
  await Promise.all([one.close(), other.close()]);
  expect(await readdir(parent)).toEqual([]);
});
