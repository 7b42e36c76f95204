import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder for downloaded binaries: in the user's cache, or in the clone where that can't be written. */
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

/** Tells whether there is a file or folder at the path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
