import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isBuilt, PRODUCTS } from './build-fingerprint.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Builds the products that are out of date. Runs in another process, because Vite sets NODE_ENV for its whole process.
 * @throws when the build fails; the cause is on stderr
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
    // Always build for production: otherwise React is built for debugging.
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Couldn't build the ${stale.join(' and the ')}`);
}
