import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Returns the folder for downloaded binaries: in the user's cache, or in the repository if that can't be written. */
export async function writableCache(): Promise<string> {
  const wanted = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'leashwise');
  try {
    await mkdir(wanted, { recursive: true });
    await rm(await mkdtemp(join(wanted, 'try-')), { recursive: true });
    return wanted;
  } catch {
    const here = join(import.meta.dirname, '../..', '.cache');
    await mkdir(here, { recursive: true });
    return here;
  }
}

/**
 * Creates a folder of the cache in one step, so that it is never incomplete.
 * @param fill fills a temporary folder, and returns the folder in it that moves to `path`
 */
export async function fillCache(
  path: string,
  fill: (temporary: string) => Promise<string>,
): Promise<void> {
  const temporary = await mkdtemp(join(dirname(path), 'building-'));
  try {
    // Another process may have been faster.
    await rename(await fill(temporary), path).catch(async (error: unknown) => {
      if (!(await exists(path))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Whether there is a file or folder at the path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
