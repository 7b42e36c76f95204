import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { PARTS, type PartName } from '../scripts/stack/stack.ts';

/** What a person does in a terminal: `npm start`, and what comes of it. */
export interface Terminal {
  child: ChildProcess;
  /** The lines printed so far. */
  lines(): string[];
  /** Waits for the line that says where it is. */
  ready(): Promise<string>;
  /** Its exit code; null when a signal ended it. */
  exit: Promise<number | null>;
}

const READY_MS = 120_000;

/** Starts the whole on a database of its own, as `npm start` does. */
export function startTerminal(env: { PORT: string; DATA_DIR: string }): Terminal {
  const { MONGODB_URI: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/stack/start.ts'], {
    env: { ...inherited, NODE_ENV: 'test', RATE_LIMIT_SCALE: '1000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends Ctrl-C to the whole group.
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const lines = () => said.split('\n').filter(Boolean);
  async function ready(): Promise<string> {
    const deadline = Date.now() + READY_MS;
    while (Date.now() < deadline && child.exitCode === null) {
      const line = lines().find((one) => one.includes(' is ready at '));
      if (line) return line;
      await wait(50);
    }
    throw new Error(`not ready: ${said}`);
  }
  return { child, lines, ready, exit };
}

/** The process ids of the parts that a supervisor has started (Linux only). */
export async function partsOf(supervisor: number): Promise<Partial<Record<PartName, number>>> {
  const children = await readFile(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8');
  const parts: Partial<Record<PartName, number>> = {};
  for (const pid of children.trim().split(' ').filter(Boolean).map(Number)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const name = PARTS.find((part) =>
      new RegExp(`/(servers/${part}\\.js|embedded-${part}\\.ts)`).test(command),
    );
    if (name) parts[name] = pid;
  }
  return parts;
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
