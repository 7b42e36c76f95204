import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../scripts/build/build-if-stale.ts';
import { freePort } from '../scripts/stack/ports.ts';
import { startStack, type Stack } from '../scripts/stack/stack.ts';

/**
 * The whole product on a free port and a directory of its own, for tests that stop or kill its parts
 * (others share the one of playwright's global setup). `stop` takes the directory away too.
 * @param env settings beside the usual ones; limits on rates are out of the way unless it says otherwise
 */
export async function startTestStack(
  env: NodeJS.ProcessEnv = {},
  port?: number,
): Promise<Stack & { dataDir: string }> {
  const { MONGODB_URI: _, ...inherited } = process.env;
  const all = { ...inherited, NODE_ENV: 'test', RATE_LIMIT_SCALE: '1000', ...env };
  await buildIfStale(all, console.log);
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-stack-'));
  const clear = () => rm(dataDir, { recursive: true, force: true });
  const stack = await startStack({
    port: port ?? (await freePort()),
    dataDir,
    env: all,
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
