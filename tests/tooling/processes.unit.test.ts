import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeDataDir } from '../../scripts/stack/data-dir.ts';
import { follow, keepLogsShort, openLog } from '../../scripts/stack/logs.ts';
import { mirrorIn } from '../../scripts/stack/fetch-libc.ts';
import { Part } from '../../scripts/stack/supervised-process.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'leashwise-parts-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function sleeper(log: string[] = []): { part: Part; starts: () => number } {
  let starts = 0;
  const part = new Part(
    'sleeper',
    async () => {
      starts++;
      return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    },
    (line) => log.push(line),
  );
  onTestFinished(() => part.stop());
  return { part, starts: () => starts };
}

test("the mirror is read out of apt's one-line format and out of deb822", () => {
  const oneLine = [
    '# deb http://old.example/debian sid main',
    'deb-src http://source.example/debian bookworm main',
    'deb https://packages.example/cloud-sdk cloud main',
    'deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian bookworm main',
  ].join('\n');
  const stanzas = [
    'Types: deb',
    'URIs: http://mirror.example/debian-security',
    'Suites: bookworm-security',
    '',
    'Types: deb',
    'URIs: http://mirror.example/debian',
    'Suites: bookworm bookworm-updates',
  ].join('\n');
  expect(mirrorIn(oneLine)).toBe('http://mirror.example/debian');
  expect(mirrorIn(stanzas)).toBe('http://mirror.example/debian');
  expect(mirrorIn('deb https://packages.example/node nodistro main')).toBeUndefined();
});

test('a part that is killed comes back as another process, and one that is stopped does not', async () => {
  const log: string[] = [];
  const { part, starts } = sleeper(log);
  await part.start();
  const first = part.pid;
  part.kill();
  expect(part.pid).toBeNull();
  await part.waitUntilBack();
  expect(part.pid).not.toBe(first);
  expect(log).toEqual(['sleeper ended with SIGKILL: starting it again']);
  await part.stop();
  expect([part.pid, starts()]).toEqual([null, 2]);
  await part.start();
  expect([part.pid === null, starts()]).toEqual([false, 3]);
});

test('stopping a part that is about to come back ends that', async () => {
  const { part, starts } = sleeper();
  await part.start();
  part.kill();
  await part.stop();
  expect([part.pid, starts()]).toEqual([null, 1]);
});

test('a first start that fails is told, a later one is tried again', async () => {
  let fails = true;
  const broken = new Part(
    'broken',
    async () => Promise.reject(new Error('no such thing')),
    () => {},
  );
  await expect(broken.start()).rejects.toThrow('no such thing');

  const log: string[] = [];
  let starts = 0;
  const part = new Part(
    'late',
    async () => {
      starts++;
      if (starts > 1 && fails) {
        fails = false;
        throw new Error('not yet');
      }
      return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    },
    (line) => log.push(line),
  );
  onTestFinished(() => part.stop());
  await part.start();
  part.kill();
  await part.waitUntilBack();
  expect(starts).toBe(3);
  expect(log).toContain('late did not start: not yet');
});

test('a data directory has one owner at a time, and a secret that stays and that nobody else may read', async () => {
  const path = await folder();
  const first = await takeDataDir(path);
  await expect(takeDataDir(path)).rejects.toThrow('is in use by another Leashwise');
  first.release();
  const second = await takeDataDir(path);
  onTestFinished(() => second.release());
  expect(first.syncSecret).toMatch(/^[0-9a-f]{64}$/);
  expect(second.syncSecret).toBe(first.syncSecret);
  expect([first.abandoned, second.abandoned]).toEqual([false, false]);
  expect((await stat(join(path, 'sync-secret'))).mode & 0o777).toBe(0o600);
});

test('a log tells what was written since it was opened, and can be followed', async () => {
  const path = await folder();
  const before = openLog(path, 'api');
  await appendFile(before.path, 'of an earlier run\n');
  const log = openLog(path, 'api');
  const lines: string[] = [];
  follow(log.path, '[api]', (line) => lines.push(line));
  await appendFile(log.path, 'one\ntwo\n');
  expect(log.lately()).toBe('one\ntwo');
  await expect.poll(() => lines).toEqual(['[api] one', '[api] two']);
  expect(await readFile(log.path, 'utf8')).toBe('of an earlier run\none\ntwo\n');
});

test('a log of a part that runs is put aside when it has grown, and the part writes on in it', async () => {
  const path = await folder();
  const log = openLog(path, 'api');
  onTestFinished(() => closeSync(log.fd));
  writeSync(log.fd, Buffer.alloc(11 * 1024 * 1024, 'x'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = keepLogsShort(path);
  vi.advanceTimersByTime(60_000);
  writeSync(log.fd, 'more');
  vi.advanceTimersByTime(60_000);
  stop();
  expect(await readFile(log.path, 'utf8')).toBe('more');
  expect((await stat(`${log.path}.1`)).size).toBe(11 * 1024 * 1024);
});
