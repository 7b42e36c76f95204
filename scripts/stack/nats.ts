import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { delimiter } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { askNats } from '#shared/bus/ask-nats.ts';
import { openLog } from './logs.ts';
import { onPath, spawnProgram } from './programs.ts';
import { untilReady } from './supervised-process.ts';

const START_MS = 10_000;

/**
 * Starts the `nats-server` on PATH, for this machine only. It stores nothing.
 * @throws when there is none, or it does not start
 */
export async function startNats(
  port: number,
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  // Debian installs it where PATH of ordinary users does not look.
  const path = [env['PATH'], '/usr/local/sbin', '/usr/sbin'].join(delimiter);
  const nats = onPath('nats-server', { PATH: path });
  if (!nats)
    throw new Error(
      'Several nodes need NATS: install the Debian package nats-server (apt-get install nats-server), put nats-server on PATH, ' +
        'or set NATS_URL to a running server.',
    );
  const log = openLog(dataDir, 'nats');
  try {
    const child = spawnProgram([nats, '--addr', '127.0.0.1', '--port', String(port)], env, log);
    const answering = new AbortController();
    await untilReady(
      child,
      untilAnswering(port, answering.signal),
      log.recentOutput,
      START_MS,
    ).finally(() => answering.abort());
    return child;
  } catch (error) {
    throw new Error(`Couldn't start NATS: ${(error as Error).message}`, { cause: error });
  } finally {
    closeSync(log.fd);
  }
}

/** Waits until a NATS server greets those that connect. */
async function untilAnswering(port: number, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      await askNats(port, stop);
      return;
    } catch {
      await wait(50);
    }
  }
}
