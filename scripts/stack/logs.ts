import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
const FOLLOW_MS = 200;
const LOOK_MS = 60_000;

/** What a part writes, in `<data directory>/logs/<part>.log`. */
export interface Log {
  /** For the part's stdout and stderr. Close it when the part has started. */
  fd: number;
  path: string;
  /** What was written since it was opened: the last 2,000 bytes of it. */
  lately(): string;
}

/** Opens a part's log for appending; one that has grown past 10 MB is put aside first. */
export function openLog(dataDir: string, part: string): Log {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${part}.log`);
  if (existsSync(path) && statSync(path).size > MAX_BYTES) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a');
  const from = fstatSync(fd).size;
  return {
    fd,
    path,
    lately: () => read(path, Math.max(from, statSync(path).size - 2_000)).trim(),
  };
}

/**
 * Puts aside, each minute, what has grown past 10 MB of the logs of parts that run: the disk is the database's, too. Those that write
 * go on in the same file, which is empty again.
 * @returns how to stop
 */
export function keepLogsShort(dataDir: string): () => void {
  const folder = join(dataDir, 'logs');
  const timer = setInterval(() => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      if (!name.endsWith('.log') || statSync(path).size <= MAX_BYTES) continue;
      copyFileSync(path, `${path}.1`);
      truncateSync(path);
    }
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Prints what is added to a log from now on, each line with a prefix, for as long as the process lives. */
export function follow(path: string, prefix: string, print: (line: string) => void): void {
  let at = existsSync(path) ? statSync(path).size : 0;
  let rest = '';
  const timer = setInterval(() => {
    const size = existsSync(path) ? statSync(path).size : 0;
    if (size < at) at = 0;
    if (size === at) return;
    const lines = (rest + read(path, at)).split('\n');
    at = size;
    rest = lines.pop() ?? '';
    for (const line of lines) print(`${prefix} ${line}`);
  }, FOLLOW_MS);
  timer.unref();
}

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
