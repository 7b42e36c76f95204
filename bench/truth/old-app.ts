import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scratchDirectory } from '../location/cleanup.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Brings the sources of an earlier commit, as an app that was never updated.
 * @param commit one of this repository whose packages are about those of today
 * @returns their folder, until the bench ends
 */
export function oldSources(commit: string): string {
  const folder = scratchDirectory('truth-old-app');
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 29 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Builds the client of earlier sources. @returns the folder of the built one */
export async function buildOldClient(sources: string): Promise<string> {
  const build = spawn(process.execPath, ['--import', 'tsx', 'scripts/build/build.ts', 'client'], {
    cwd: sources,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(build, 'exit')) as [number | null];
  if (code !== 0) throw new Error('Couldn’t build the old client');
  return join(sources, 'dist/client');
}
