import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stopProcess } from '../sync/processes.ts';
import { dogsOf } from './crowd.ts';

/** The number of rows in one round trip. */
export const SEED_BATCH = 5_000;
const START_MS = 30_000;

/** An engine with its handler, which answers at `port`. */
export interface Running {
  port: number;
  stop(): Promise<void>;
}

/** Starts the handler of a rival in a process of its own, like ours. @param server the engine, which is stopped with it */
export async function startHandler(
  file: string,
  socket: string,
  server: ChildProcess,
): Promise<Running> {
  const child = fork(join(import.meta.dirname, '../rivals', file), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, RIVAL_SOCKET: socket },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return {
    port,
    async stop() {
      await stopProcess(child);
      await stopProcess(server);
    },
  };
}

/** @throws the last error, if it lasts half a minute */
export async function untilItAnswers(ask: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() - from > START_MS) throw error;
      await wait(100);
    }
  }
}

export const cardOf = (index: number): string =>
  JSON.stringify({ display_name: `Walker ${index}`, dogs: dogsOf(index) });
