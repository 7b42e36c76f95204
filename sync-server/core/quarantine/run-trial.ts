import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TrialDocument, TrialResult } from './document-trial.ts';
import { ownProgram } from './own-program.ts';

const MiB = 1024 * 1024;
const PAGE_BYTES = 4096;
const LOOK_MS = 50;

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;
/** On a busy machine, everything takes several times as long. Elsewhere than on Linux, nothing else limits it. */
const WALL_TIME = 10;

/** What a process that tries a document may use, with its start. */
export interface TrialLimits {
  cpuMs: number;
  bytes: number;
}

export const TRIAL_LIMITS: TrialLimits = { cpuMs: 15_000, bytes: 768 * MiB };

/**
 * Tries a document in a process of its own: a worker thread shares the memory limit of its process, and Automerge's memory is not part of
 * a worker's limits.
 * @returns null if it exceeded the limits or failed
 */
export function runTrial(
  document: TrialDocument,
  limits: TrialLimits = TRIAL_LIMITS,
): Promise<TrialResult | null> {
  const { url, execArgv } = ownProgram('document-trial');
  const child = fork(fileURLToPath(url), [], {
    execArgv: [...execArgv, `--max-old-space-size=${Math.ceil(limits.bytes / MiB)}`],
    env: { PATH: process.env['PATH'] },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise((resolve) => {
    const end = (result: TrialResult | null) => {
      clearInterval(looking);
      clearTimeout(timer);
      child.kill('SIGKILL');
      resolve(result);
    };
    const timer = setTimeout(() => end(null), WALL_TIME * limits.cpuMs);
    const look = async () => {
      const { cpuMs, bytes } = await usedBy(child.pid);
      if (cpuMs > limits.cpuMs || bytes > limits.bytes) end(null);
    };
    const looking = setInterval(() => void look(), LOOK_MS);
    child.once('message', (result) => end(result as TrialResult));
    child.once('exit', () => end(null));
    child.once('error', () => end(null));
    // If memory becomes scarce, Linux ends this process first.
    writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => {});
    child.send(document, () => {});
  });
}

/** Returns zeros where the system does not say. */
async function usedBy(pid: number | undefined): Promise<TrialLimits> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name of the program: the state, which is field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3] ?? 0);
  return { cpuMs: (field(14) + field(15)) * TICK_MS, bytes: field(24) * PAGE_BYTES };
}
