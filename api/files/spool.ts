import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'leashwise-uploads-';
const OWNER = new RegExp(`^${PREFIX}(\\d+)-`);

/** Where uploads are on the disk until their requests are answered. */
export interface Spool {
  /** The directory of this process, which only it may read. */
  readonly directory: string;
  /** Makes a directory for one request. @returns it, and removes it with all that is in it */
  open(): Promise<{ path: string; remove(): Promise<void> }>;
  close(): Promise<void>;
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });

/** Those of servers in this process: tests have several. */
const inUse = new Set<string>();

/** Makes a directory for the uploads of this process, and removes those of processes that ended without doing so. */
export async function openSpool(parent = tmpdir()): Promise<Spool> {
  await removeLeftovers(parent);
  const directory = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  inUse.add(directory);
  return {
    directory,
    async open() {
      const path = await mkdtemp(join(directory, 'request-'));
      return { path, remove: () => removeAll(path) };
    },
    async close() {
      inUse.delete(directory);
      await removeAll(directory);
    },
  };
}

async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = OWNER.exec(name)?.[1];
    const path = join(parent, name);
    // One with our own number is of a process before us, whose number we have now: in a container it is always the same.
    if (owner === undefined || inUse.has(path)) continue;
    if (Number(owner) !== process.pid && isRunning(Number(owner))) continue;
    // Another user's cannot be removed, and need not be.
    await removeAll(path).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
