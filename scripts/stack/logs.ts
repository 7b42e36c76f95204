import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '#shared/time.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const RECENT_BYTES = 2_000;
const FOLLOW_MS = 200;
const ROTATE_MS = MINUTE_MS;

/** The output of a process, in `<data directory>/logs/<process>.log`. */
export interface Log {
  /** For the stdout and stderr of the process. Close it when the process has started. */
  fd: number;
  path: string;
  /** Returns the last 2,000 bytes that were written since the log was opened. */
  recentOutput(): string;
}

/** Opens the log of a process for appending. */
export function openLog(dataDir: string, process: string): Log {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${process}.log`);
  rotateIfLarge(path);
  const fd = openSync(path, 'a');
  const from = fstatSync(fd).size;
  return {
    fd,
    path,
    recentOutput: () => read(path, Math.max(from, statSync(path).size - RECENT_BYTES)).trim(),
  };
}

/**
 * Rotates logs that have grown past 10 MB, each minute: they share the disk with the database.
 * @returns a function that stops it
 */
export function rotateLogs(dataDir: string): () => void {
  const folder = join(dataDir, 'logs');
  return repeat(ROTATE_MS, () => {
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (name.endsWith('.log')) rotateIfLarge(join(folder, name));
  });
}

/** Repeats work on logs. Without free files or room, nothing else may end with it. @returns a function that stops it */
function repeat(everyMs: number, work: () => void): () => void {
  const timer = setInterval(() => {
    try {
      work();
    } catch (error) {
      console.error('Failed to read or rotate logs', error);
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Moves the content to `<path>.1`. A running process continues writing to the same file. */
function rotateIfLarge(path: string): void {
  if (sizeOf(path) <= MAX_BYTES) return;
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    // On a full disk, room counts more than old lines.
    rmSync(`${path}.1`, { force: true });
  }
  truncateSync(path);
}

/** Prints each line that is added to a log from now on, with a prefix, until this process exits. */
export function follow(path: string, prefix: string, print: (line: string) => void): void {
  let at = sizeOf(path);
  let rest = '';
  repeat(FOLLOW_MS, () => {
    const size = sizeOf(path);
    if (size < at) at = 0;
    if (size === at) return;
    const lines = (rest + read(path, at)).split('\n');
    at = size;
    rest = lines.pop() ?? '';
    for (const line of lines) print(`${prefix} ${line}`);
  });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function read(path: string, from: number): string {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
    readSync(fd, bytes, 0, bytes.length, from);
    return bytes.toString('utf8');
  } finally {
    closeSync(fd);
  }
}
