import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const MS_PER_TICK = 10;
const PAGE_BYTES = 4096;
const COLLECT_GARBAGE = new URL('./collect-garbage.ts', import.meta.url).href;
const COLLECTIONS = 3;
const BETWEEN_COLLECTIONS_MS = 500;

/** The message of a server's process when it listens. */
interface Ready {
  port: number;
  internalPort?: number;
}

/**
 * Starts a program as a process of its own.
 * @param program a built one, or the name of a TypeScript file beside this one
 * @returns it, with the first message it sends
 */
export async function startProcess(
  program: string | { script: string; execArgv: string[] },
  env: NodeJS.ProcessEnv = {},
): Promise<{ child: ChildProcess; ready: Ready }> {
  const { script, execArgv } =
    typeof program === 'string'
      ? { script: new URL(program, import.meta.url), execArgv: [] }
      : program;
  const child = fork(script, {
    execArgv: [...execArgv, '--expose-gc', '--import', 'tsx', '--import', COLLECT_GARBAGE],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${String(script)} ended with ${code}`);
  });
  const [ready] = (await Promise.race([once(child, 'message'), failed])) as [Ready];
  failed.catch(() => {});
  return { child, ready };
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await once(child, 'exit');
  clearTimeout(timer);
}

/** CPU time that a process has used so far, in milliseconds, all its threads together. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Memory that a process has now. */
export const rssBytes = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;

/**
 * Returns the memory of a process of `startProcess` without memory that it has not returned yet, which would be several
 * times as much and depend on the garbage collector.
 */
export async function residentBytes(child: ChildProcess, over: AbortSignal): Promise<number> {
  let held = NaN;
  for (let i = 0; i < COLLECTIONS; i++) {
    await wait(BETWEEN_COLLECTIONS_MS, undefined, { signal: over });
    child.kill('SIGUSR2');
    const [message] = (await once(child, 'message', { signal: over })) as [{ heldBytes: number }];
    held = message.heldBytes;
  }
  return held;
}
