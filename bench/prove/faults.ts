import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVitest } from '../../scripts/test/test-reports.ts';
import type { CheckSettings, Outcome } from './check-settings.ts';

/** For as long as this, what everything needs is gone: the gateway, or all of MongoDB. */
const FAULT_SECONDS = 60;

/**
 * Kills, freezes and cuts off each process of several nodes while twenty owners write, walk and chat: the tests of the cluster, with
 * longer faults. Takes about ten minutes.
 */
export async function survive({ interrupted }: CheckSettings): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'leashwise-faults-'));
  const report = join(folder, 'report.json');
  const options = ['--reporter=json', `--outputFile.json=${report}`];
  const tests = spawn('npm', ['run', '--silent', 'test:cluster', '--', ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, FAULT_SECONDS: String(FAULT_SECONDS) },
    signal: interrupted,
  });
  try {
    await once(tests, 'close');
    const { passed, failed, failures } = readVitest(JSON.parse(await readFile(report, 'utf8')));
    return { tried: `${passed + failed} faults`, failures };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
