import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { PROCESSES, type ProcessName } from '../scripts/stack/stack.ts';

/** `npm start` in a terminal, and its output. */
export interface Terminal {
  child: ChildProcess;
  /** The lines printed so far. */
  lines(): string[];
  /** Waits for the line with the address, and returns it. */
  ready(): Promise<string>;
  /** The exit code; null if a signal ended the process. */
  exit: Promise<number | null>;
}

const READY_MS = 120_000;

/** Runs `npm start` with its own database. */
export function startTerminal(env: {
  PORT: string;
  DATA_DIR: string;
  [name: string]: string;
}): Terminal {
  const { MONGODB_URI: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/stack/start.ts'], {
    env: { ...inherited, NODE_ENV: 'test', RATE_LIMIT_SCALE: '1000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends Ctrl-C to the whole group.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const lines = () => output.split('\n').filter(Boolean);
  async function ready(): Promise<string> {
    const deadline = Date.now() + READY_MS;
    while (Date.now() < deadline && child.exitCode === null) {
      const line = lines().find((one) => one.includes(' is ready at '));
      if (line) return line;
      await wait(50);
    }
    throw new Error(`not ready: ${output}`);
  }
  return { child, lines, ready, exit };
}

/** Returns the ids of the processes that a supervisor has started (Linux only). */
export async function processIdsOf(
  supervisor: number,
): Promise<Partial<Record<ProcessName, number>>> {
  const children = await readFile(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8');
  const pids: Partial<Record<ProcessName, number>> = {};
  for (const pid of children.trim().split(' ').filter(Boolean).map(Number)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const name = PROCESSES.find((each) =>
      new RegExp(`/(servers/${each}(-with-gateway)?\\.js|embedded-${each}\\.ts)`).test(command),
    );
    if (name) pids[name] = pid;
  }
  return pids;
}

/** Whether a process is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
