import { rm } from 'node:fs/promises';
import { buildIfStale } from '../scripts/build/build-if-stale.ts';
import { freePort } from '../scripts/stack/ports.ts';
import { startStack, type Stack, type StackSettings } from '../scripts/stack/stack.ts';
import { createDatabaseDir } from '../scripts/test/database-dir.ts';

/**
 * Starts the whole product on a free port with its own directory, for tests that stop or kill its processes
 * (other tests share the one from Playwright's global setup). `stop` removes the directory, too.
 * @param env additional settings. By default, rate limits are very high, and blocked people see the end of a friendship at once
 * @param envOf returns the environment of one process
 */
export async function startTestStack(
  env: NodeJS.ProcessEnv = {},
  port?: number,
  envOf?: StackSettings['envOf'],
): Promise<Stack & { dataDir: string }> {
  const { MONGODB_URI: _, ...inherited } = process.env;
  const all = {
    ...inherited,
    NODE_ENV: 'test',
    RATE_LIMIT_SCALE: '1000',
    BLOCK_DELAY_SCALE: '0',
    ...env,
  };
  await buildIfStale(all, console.log);
  const dataDir = await createDatabaseDir('stack');
  const clear = () => rm(dataDir, { recursive: true, force: true });
  const stack = await startStack({
    port: port ?? (await freePort()),
    dataDir,
    env: all,
    ...(envOf && { envOf }),
  }).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  return {
    ...stack,
    dataDir,
    async stop() {
      await stack.stop();
      await clear();
    },
  };
}
