import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isBuilt } from './built.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * Builds the client unless the built one is up to date. In a process of its own, since Vite sets
 * NODE_ENV for the whole process that it builds in.
 * @throws when the build fails; what was wrong is on stderr by then
 */
export async function buildIfStale(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (isBuilt(env)) return;
  log('Building the client…');
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
    cwd: ROOT,
    // What is built is the product, whatever it is started as; else React and we would be built to debug.
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the client could not be built');
}
