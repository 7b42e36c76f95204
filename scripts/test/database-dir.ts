import { mkdtemp, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_FILES = '/dev/shm';
/** More than the databases of all suites that run at the same time. */
const ROOM_BYTES = 6 * 1024 ** 3;

/**
 * Creates a directory for databases of tests, in memory if there is room: each commit waits for the disk, which other suites use.
 * The kill tests don't need a disk, because the files of a killed process stay in memory, too.
 */
export async function createDatabaseDir(name: string): Promise<string> {
  return mkdtemp(join((await hasRoom()) ? MEMORY_FILES : tmpdir(), `leashwise-${name}-`));
}

async function hasRoom(): Promise<boolean> {
  const files = await statfs(MEMORY_FILES).catch(() => null);
  return files !== null && files.bavail * files.bsize > ROOM_BYTES && freemem() > ROOM_BYTES;
}
