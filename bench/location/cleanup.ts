import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from '../../scripts/stack/programs.ts';

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

let atExit: (() => void)[] | null = null;

/** Runs something when the bench ends, also when it is interrupted; the last one first. */
function leave(run: () => void): void {
  if (!atExit) {
    const all: (() => void)[] = [];
    atExit = all;
    process.once('exit', () => {
      for (const each of all.toReversed()) each();
    });
    for (const [signal, code] of Object.entries(SIGNALS))
      process.once(signal, () => process.exit(code));
  }
  atExit.push(run);
}

/** Creates a directory that is removed when the bench ends, however it ends. */
export function scratchDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `leashwise-${name}-`));
  leave(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** Ends a process with the bench at the latest. */
export function endWithBench(child: ChildProcess): void {
  leave(() => void child.kill('SIGKILL'));
}

/** Starts a program of others, which would not notice the end of the bench. On Linux, the kernel ends it. */
export function spawnRival(
  program: string,
  args: string[],
  identity: { uid?: number; gid?: number } = {},
): ChildProcess {
  const setpriv = process.platform === 'linux' && onPath('setpriv', process.env);
  const child = setpriv
    ? spawn(setpriv, [...setprivOptions(identity), '--', program, ...args], { stdio: 'ignore' })
    : spawn(program, args, { ...identity, stdio: 'ignore' });
  endWithBench(child);
  return child;
}

/** The program drops its rights itself, which resets settings made before. */
function setprivOptions({ uid, gid }: { uid?: number; gid?: number }): string[] {
  const rights =
    uid === undefined || gid === undefined
      ? []
      : ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return [...rights, '--pdeathsig', 'TERM'];
}
