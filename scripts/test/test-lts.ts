import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findNodeLts, NODE_LTS } from './node-lts.ts';

/**
 * `npm run test:lts`: runs the unit and API tests on the Node release of the Docker images. Takes vitest's arguments;
 * `--project` selects one of the two.
 */
const ROOT = join(import.meta.dirname, '../..');

const lts = await findNodeLts({ log: console.log });
if ('reason' in lts) {
  console.error(`Node ${NODE_LTS.version} isn't available: ${lts.reason}`);
  process.exit(1);
}
const args = process.argv.slice(2);
const hasProject = args.some((arg) => arg.startsWith('--project'));
const projects = hasProject ? [] : ['--project', 'unit', '--project', 'api'];
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
console.log(`Tests on Node ${NODE_LTS.version}`);
// Programs that the tests start with process.execPath run on this Node, too.
const child = spawn(lts.path, [vitest, 'run', ...projects, ...args], {
  cwd: ROOT,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, 'close')) as [number | null];
process.exitCode = code ?? 1;
