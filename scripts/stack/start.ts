import { z } from 'zod';
import { buildIfStale } from '../build/build-if-stale.ts';
import { startStack, type Stack } from './stack.ts';
import { stackVariables } from './variables.ts';

/** `npm start` (and, with `--watch`, `npm run dev`): runs the whole product on this machine until Ctrl-C. */
const watch = process.argv.includes('--watch');
const { PORT, DATA_DIR } = stackVariables;
const settings = z.object({ PORT, DATA_DIR }).safeParse(process.env);
if (!settings.success) fail(z.prettifyError(settings.error));
const { PORT: port, DATA_DIR: dataDir } = settings.data;

// The terminal may be a file on a full disk.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

const starting = new AbortController();
let stack: Stack | undefined;
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

const env = { ...process.env };
try {
  if (!watch) await buildIfStale(env, say, starting.signal);
  stack = await startStack({ port, dataDir, env, watch, signal: starting.signal, log: say });
  if (stack.mongodb !== 'configured')
    say(`MongoDB (${stack.mongodb}) stores its data in ${dataDir}`);
  if (stack.nodes > 1)
    say(
      `${stack.nodes} API nodes and ${stack.nodes} sync nodes; their addresses are in ${dataDir}/nodes.json`,
    );
  if (stack.sandboxProviders.length > 0)
    say(`Simulated, for trying it out only: ${stack.sandboxProviders.join(', ')}`);
  if (stack.warning) say(stack.warning);
  say(`${env['PRODUCT_NAME'] || 'Leashwise'} is ready at ${stack.origin}`);
} catch (error) {
  if (!isStopping) fail(error instanceof Error ? error.message : String(error));
  process.exit(0);
}

async function stop(): Promise<void> {
  // The processes exit on their own when this one does.
  if (isStopping) process.exit(1);
  isStopping = true;
  starting.abort();
  if (!stack) return;
  await stack.stop();
  process.exit(0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
