import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'leashwise-uploads-';
const OWNER = new RegExp(`^${PREFIX}(\\d+)-`);

/** Spools uploads to disk until their requests are finished. */
export interface Spool {
  /** The private directory of this process. */
  readonly directory: string;
  /**
   * Creates a directory for one request.
   * @returns its path, and a function that removes it
   */
  open(): Promise<{ path: string; remove(): Promise<void> }>;
  close(): Promise<void>;
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });

/** Directories of servers in this process: tests run several. */
const inUse = new Set<string>();

/** Creates a directory for this process’s uploads, and removes those of crashed processes. */
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
    // Our own process id may be reused: in a container it is always the same.
    if (owner === undefined || inUse.has(path)) continue;
    if (Number(owner) !== process.pid && isRunning(Number(owner))) continue;
    // Another user’s directory can’t be removed.
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
