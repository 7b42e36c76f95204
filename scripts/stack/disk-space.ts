import { statfsSync } from 'node:fs';

const CHECK_MS = 5_000;
const MiB = 1024 * 1024;
/** With less, MongoDB can't go on for long. */
const FULL_BYTES = 32 * MiB;
/** Enough to react before writes fail. */
const LOW_BYTES = 512 * MiB;

type Level = 'enough' | 'low' | 'full';

const levelOf = (bytes: number): Level =>
  bytes < FULL_BYTES ? 'full' : bytes < LOW_BYTES ? 'low' : 'enough';

/**
 * Says when the disk of the data directory runs out of space, and when there is space again.
 * @param log receives one line for each change
 * @param freeBytes returns the number of bytes that are available to this user
 * @returns a function that stops it
 */
export function watchDiskSpace(
  dataDir: string,
  log: (line: string) => void,
  freeBytes: () => number = () => availableBytes(dataDir),
): () => void {
  let last: Level = 'enough';
  const check = () => {
    const bytes = freeBytes();
    const level = levelOf(bytes);
    if (level === last) return;
    const size = `${Math.floor(bytes / MiB)} MB`;
    if (level === 'full')
      log(
        `No space left on the disk of ${dataDir} (${size}). Requests are answered with 503 until there is.`,
      );
    else if (level === 'low') log(`Little space left on the disk of ${dataDir}: ${size}`);
    else log(`There is enough space again on the disk of ${dataDir}: ${size}`);
    last = level;
  };
  check();
  const timer = setInterval(check, CHECK_MS).unref();
  return () => clearInterval(timer);
}

function availableBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
