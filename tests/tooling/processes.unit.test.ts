import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lockDataDir } from '../../scripts/stack/data-dir.ts';
import { watchDiskSpace } from '../../scripts/stack/disk-space.ts';
import { mirrorIn } from '../../scripts/stack/fetch-libc.ts';
import { follow, rotateLogs, openLog } from '../../scripts/stack/logs.ts';
import { NodesFile } from '../../scripts/stack/nodes-file.ts';
import { SupervisedProcess } from '../../scripts/stack/supervised-process.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'leashwise-processes-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function sleeper(log: string[] = []): { supervised: SupervisedProcess; starts: () => number } {
  let starts = 0;
  const supervised = new SupervisedProcess(
    'sleeper',
    async () => {
      starts++;
      return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    },
    (line) => log.push(line),
  );
  onTestFinished(() => supervised.stop());
  return { supervised, starts: () => starts };
}

test("reads the mirror from apt's one-line format and from deb822", () => {
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

test('replaces a process that gives no answer, and leaves one alone that does', async () => {
  const log: string[] = [];
  let answers = true;
  const started: number[] = [];
  const supervised = new SupervisedProcess(
    'server',
    async () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
        stdio: 'ignore',
      });
      started.push(child.pid!);
      return child;
    },
    (line) => log.push(line),
    { check: async () => answers || Promise.reject(new Error('silent')), frozenMs: 200 },
  );
  onTestFinished(() => supervised.stop());
  await supervised.start();
  const [first] = started;
  await wait(600);
  expect(supervised.pid).toBe(first);
  process.kill(first!, 'SIGSTOP');
  answers = false;
  await vi.waitFor(() => expect(started).toHaveLength(2));
  answers = true;
  await supervised.waitUntilBack();
  expect(log[0]).toBe('server gives no answer; restarting');
  expect(() => process.kill(first!, 0)).toThrow('ESRCH');
});

test('restarts a process that was killed, but not one that was stopped', async () => {
  const log: string[] = [];
  const { supervised, starts } = sleeper(log);
  await supervised.start();
  const first = supervised.pid;
  supervised.kill();
  expect(supervised.pid).toBeNull();
  await supervised.waitUntilBack();
  expect(supervised.pid).not.toBe(first);
  expect(log).toEqual(['sleeper exited with SIGKILL; restarting']);
  await supervised.stop();
  expect([supervised.pid, starts()]).toEqual([null, 2]);
  await supervised.start();
  expect([supervised.pid === null, starts()]).toEqual([false, 3]);
});

test('does not restart a killed process that is stopped before its restart', async () => {
  const { supervised, starts } = sleeper();
  await supervised.start();
  supervised.kill();
  await supervised.stop();
  expect([supervised.pid, starts()]).toEqual([null, 1]);
});

test('throws when the first start fails, and repeats a later one', async () => {
  let fails = true;
  const broken = new SupervisedProcess(
    'broken',
    async () => Promise.reject(new Error('no such thing')),
    () => {},
  );
  await expect(broken.start()).rejects.toThrow('no such thing');

  const log: string[] = [];
  let starts = 0;
  const supervised = new SupervisedProcess(
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
  onTestFinished(() => supervised.stop());
  await supervised.start();
  supervised.kill();
  await supervised.waitUntilBack();
  expect(starts).toBe(3);
  expect(log).toContain('late failed to start: not yet');
});

test('locks a data directory, and stores a secret in it that only its user can read', async () => {
  const path = await folder();
  const first = await lockDataDir(path);
  await expect(lockDataDir(path)).rejects.toThrow('Another Leashwise is using');
  first.release();
  const second = await lockDataDir(path);
  onTestFinished(() => second.release());
  expect(first.syncSecret).toMatch(/^[0-9a-f]{64}$/);
  expect(second.syncSecret).toBe(first.syncSecret);
  expect([first.wasKilled, second.wasKilled]).toEqual([false, false]);
  expect((await stat(join(path, 'sync-secret'))).mode & 0o777).toBe(0o600);
});

test('returns the output since a log was opened, and follows a log', async () => {
  const path = await folder();
  const before = openLog(path, 'api');
  await appendFile(before.path, 'of an earlier run\n');
  const log = openLog(path, 'api');
  const lines: string[] = [];
  follow(log.path, '[api]', (line) => lines.push(line));
  await appendFile(log.path, 'one\ntwo\n');
  expect(log.recentOutput()).toBe('one\ntwo');
  await expect.poll(() => lines).toEqual(['[api] one', '[api] two']);
  expect(await readFile(log.path, 'utf8')).toBe('of an earlier run\none\ntwo\n');
});

test('rotates a large log while a process writes to it', async () => {
  const path = await folder();
  const log = openLog(path, 'api');
  onTestFinished(() => closeSync(log.fd));
  writeSync(log.fd, Buffer.alloc(11 * 1024 * 1024, 'x'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = rotateLogs(path);
  vi.advanceTimersByTime(60_000);
  writeSync(log.fd, 'more');
  vi.advanceTimersByTime(60_000);
  stop();
  expect(await readFile(log.path, 'utf8')).toBe('more');
  expect((await stat(`${log.path}.1`)).size).toBe(11 * 1024 * 1024);
});

test('says once that the disk is nearly full, that it is full, and that there is space again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const log: string[] = [];
  let megabytes = 900;
  const stop = watchDiskSpace(
    '/data',
    (line) => log.push(line),
    () => megabytes * 1024 * 1024,
  );
  onTestFinished(stop);
  for (megabytes of [900, 400, 300, 10, 5, 600]) await vi.advanceTimersByTimeAsync(5_000);
  expect(log).toEqual([
    'Little space left on the disk of /data: 400 MB',
    'No space left on the disk of /data (10 MB). Requests are answered with 503 until there is.',
    'There is enough space again on the disk of /data: 600 MB',
  ]);
});

test('a list of processes that can’t be written is written later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const path = await folder();
  const nodes = new NodesFile(join(path, 'missing'));
  nodes.add('nats', 'nats://127.0.0.1:4222', null);
  await mkdir(join(path, 'missing'));
  await vi.advanceTimersByTimeAsync(5_000);
  const text = await readFile(join(path, 'missing', 'nodes.json'), 'utf8');
  expect(JSON.parse(text)).toEqual([{ role: 'nats', url: 'nats://127.0.0.1:4222', pid: null }]);
});
