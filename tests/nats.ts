import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../scripts/stack/ports.ts';

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
  let child: ChildProcess | null = null;
  async function start(): Promise<void> {
    const started = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], {
      stdio: 'ignore',
    });
    child = started;
    started.on('error', () => {});
    while (!(await isListening(port))) {
      if (started.exitCode !== null || !started.pid)
        throw new Error("nats-server didn't start. Install Debian's package nats-server.");
      await wait(20);
    }
  }
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    async stop() {
      const ended = child;
      child = null;
      if (!ended || ended.exitCode !== null) return;
      ended.kill('SIGKILL');
      await once(ended, 'exit');
    },
  };
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
