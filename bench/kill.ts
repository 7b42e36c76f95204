import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildIfStale } from '../scripts/build/build-if-stale.ts';
import { freePort } from '../scripts/stack/ports.ts';
import { PROCESSES } from '../scripts/stack/stack.ts';
import { isAlive, processIdsOf, startTerminal, type Terminal } from '../tests/terminal.ts';
import { writers } from './kill/writers.ts';
import type { BenchRow } from './result-row.ts';

interface Settings {
  /** How often each process is killed. */
  rounds?: number;
  /** Minimum time between two kills in milliseconds; the maximum is twice that. */
  loadMs?: number;
}

/** Far longer than a start takes, even on a busy machine. */
const BACK_MS = 180_000;
const ANSWER_MS = 5_000;
/** Lines of each log that are printed after a failure. */
const LOG_LINES = 10;

/**
 * Kills each process in turn with SIGKILL while owners, an admin and devices write, and counts acknowledged writes that are
 * missing.
 * @param interrupted aborts the benchmark and stops all processes
 */
export async function killBench(
  interrupted: AbortSignal,
  { rounds = 10, loadMs = 1_500 }: Settings = {},
): Promise<BenchRow[]> {
  await buildIfStale(process.env, console.error);
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-kill-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const start = async () => {
    const terminal = startTerminal({ PORT: String(port), DATA_DIR: dataDir });
    await terminal.ready();
    return terminal;
  };
  let terminal = await start();
  try {
    const all = await writers(origin);
    const running = await processIdsOf(terminal.child.pid ?? 0);
    const victims = [...PROCESSES.filter((name) => running[name]), 'supervisor' as const];
    for (let round = 1; round <= rounds; round++) {
      for (const victim of victims) {
        const startedAt = performance.now();
        const stopWriting = new AbortController();
        const writing = Promise.all(all.map((writer) => writer.run(stopWriting.signal)));
        try {
          await wait(loadMs + Math.random() * loadMs, undefined, { signal: interrupted });
          if (victim === 'supervisor')
            terminal = await killSupervisor(terminal, start, interrupted);
          else await killProcess(terminal, victim, origin, interrupted);
        } finally {
          stopWriting.abort();
          await writing;
        }
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        console.error(`  round ${round} of ${rounds}: ${victim} killed and back, ${seconds} s`);
      }
    }
    // Check after a restart, so from the disk only.
    terminal = await killSupervisor(terminal, start, interrupted);
    const rows: BenchRow[] = [];
    for (const writer of all) {
      const missing = await writer.missing();
      writer.close();
      for (const one of missing.slice(0, 5)) console.error(`${writer.name}: ${one}`);
      rows.push({
        group: 'kill',
        row: `${writer.name}, acknowledged and missing`,
        ours: `${missing.length} of ${writer.acknowledged()}`,
        target: '0',
        ok: missing.length === 0 && writer.acknowledged() > 0,
      });
    }
    return rows;
  } catch (error) {
    for (const line of terminal.lines().slice(-20)) console.error(`  | ${line}`);
    for (const name of PROCESSES)
      for (const line of await lastLines(join(dataDir, 'logs', `${name}.log`)))
        console.error(`  ${name} | ${line}`);
    throw error;
  } finally {
    terminal.child.kill('SIGTERM');
    await terminal.exit;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function killProcess(
  terminal: Terminal,
  victim: (typeof PROCESSES)[number],
  origin: string,
  interrupted: AbortSignal,
): Promise<void> {
  const supervisor = terminal.child.pid ?? 0;
  const { [victim]: pid } = await processIdsOf(supervisor);
  if (pid === undefined) throw new Error(`${victim} is not running`);
  process.kill(pid, 'SIGKILL');
  await eventually(`${victim} to restart`, interrupted, async () => {
    const { [victim]: now } = await processIdsOf(supervisor);
    if (now === undefined || now === pid) return false;
    // A request from before the restart may never be answered.
    const signal = AbortSignal.timeout(ANSWER_MS);
    return (await fetch(`${origin}/api/health`, { signal })).ok;
  });
}

async function killSupervisor(
  terminal: Terminal,
  start: () => Promise<Terminal>,
  interrupted: AbortSignal,
): Promise<Terminal> {
  const pids = Object.values(await processIdsOf(terminal.child.pid ?? 0));
  terminal.child.kill('SIGKILL');
  await terminal.exit;
  const next = await start();
  await eventually(
    'the processes of the killed supervisor to exit',
    interrupted,
    async () => !pids.some(isAlive),
  );
  return next;
}

async function lastLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-LOG_LINES);
}

async function eventually(
  expected: string,
  interrupted: AbortSignal,
  check: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + BACK_MS;
  while (!(await check().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${expected}`);
    await wait(50, undefined, { signal: interrupted });
  }
}
