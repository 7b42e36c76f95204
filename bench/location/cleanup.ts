import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Ends a process with the bench at the latest. @param end by default, it alone is killed */
export function endWithBench(
  child: ChildProcess,
  end: () => unknown = () => child.kill('SIGKILL'),
): void {
  leave(() => void end());
}
