import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Pages of so many former builds can load their chunks. */
const BUILDS_MAX = 3;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/**
 * Copies the assets of former builds into a new one, whose pages may still be open. Names of assets have a hash of their content.
 * @param former the folder of the last build; it may not exist
 * @param list the file with the names of former builds' assets, newest first
 */
export async function copyFormerAssets(
  former: string,
  building: string,
  list: string,
): Promise<void> {
  const target = join(building, 'assets');
  const own = await namesIn(target);
  const builds = await readFile(list, 'utf8').then(
    (text) => JSON.parse(text) as string[][],
    () => [] as string[][],
  );
  const there = new Set(await namesIn(join(former, 'assets')));
  // Of a build from before there was a list, all that is there.
  const known = builds.length > 0 ? builds : [[...there]];
  const wanted = new Set(known.slice(0, BUILDS_MAX).flat());
  for (const name of own) wanted.delete(name);
  await mkdir(target, { recursive: true });
  for (const name of wanted)
    if (there.has(name)) await copyFile(join(former, 'assets', name), join(target, name));
  const next = [own, ...known.filter((names) => names.length > 0)].slice(0, BUILDS_MAX + 1);
  await writeFile(list, JSON.stringify(next));
}
