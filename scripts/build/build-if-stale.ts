import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isBuilt, PRODUCTS } from './build-fingerprint.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Builds what is not up to date. In a process of its own, since Vite sets
 * NODE_ENV for the whole process that it builds in.
 * @throws when the build fails; what was wrong is on stderr by then
 */
export async function buildIfStale(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
  signal?: AbortSignal,
  wanted = PRODUCTS,
): Promise<void> {
  const stale = wanted.filter((product) => !isBuilt(product, env));
  if (stale.length === 0) return;
  log(`Building the ${stale.join(' and the ')}…`);
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/build/build.ts', ...stale], {
    cwd: ROOT,
    // What is built is the product, whatever it is started as; else React and we would be built to debug.
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the ${stale.join(' and the ')} could not be built`);
}
