import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { startNats as startServer } from '../scripts/stack/nats.ts';
import { freePort } from '../scripts/stack/ports.ts';
import { createDatabaseDir } from '../scripts/test/database-dir.ts';

export interface TestNats {
  url: string;
  /** Ends the server. Its clients notice. */
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

/** Starts a NATS server from PATH (Debian's package `nats-server`) on a free port. */
export async function startNats(): Promise<TestNats> {
  const port = await freePort();
  const directory = await createDatabaseDir('nats');
  let child: ChildProcess | null = null;
  async function start(): Promise<void> {
    child = await startServer(port, directory, process.env);
  }
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    async stop() {
      const ended = child;
      child = null;
      if (ended && ended.exitCode === null) {
        ended.kill('SIGKILL');
        await once(ended, 'exit');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
