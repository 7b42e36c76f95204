import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, installChromium } from './chromium.ts';
import { findNodeLts, NODE_LTS } from './node-lts.ts';
import { readPlaywright, readVitest, type Outcome } from './test-reports.ts';

/**
 * `npm test`: every check and every suite, quickest first, and how many passed and failed over all. What does not keep
 * all cores busy by itself has company: of the 15 minutes that CI may take, none is for waiting.
 */
interface Suite {
  name: string;
  /** The package script that runs it, with arguments that make it leave a report in the file. */
  script: string;
  args?: (report: string) => string[];
  /** Takes what the others leave of the cores. */
  isPatient?: boolean;
  /** The Node release that it runs on; the installed one by default. */
  node?: string;
  env?: (report: string) => NodeJS.ProcessEnv;
  /** Reads the outcome out of the report. Without: the suite counts as one. */
  read?: (report: unknown) => Outcome;
}

/** @param which of its files, as vitest's command line takes it; all of them by default */
const vitest = (project: string, name = project, which: string[] = []): Suite => ({
  name,
  script: `test:${project}`,
  args: (report) => [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...which,
  ],
  read: readVitest,
});
const lts = await findNodeLts({ log: console.log });
const noLts = 'reason' in lts ? `Node ${NODE_LTS.version} can't be had here: ${lts.reason}` : '';
if (noLts)
  console.log(`${noLts}. The API tests run on the installed Node ${process.versions.node}.`);

/** The same suite on the Node release of the Docker images. */
const onLts = (project: string, name: string): Suite => {
  const suite = vitest(project, name);
  const args = (report: string) => ['--project', project, ...(suite.args?.(report) ?? [])];
  return { ...suite, script: 'test:lts', args, node: NODE_LTS.version };
};
const browser: Suite = {
  name: 'browser',
  script: 'test:browser',
  args: () => ['--reporter=list,json'],
  env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
  read: readPlaywright,
};
/**
 * What is in rows beside each other runs at the same time: the first row tells what goes on, the others when they have
 * ended. The api's tests and the browsers need the build.
 */
const stages: Suite[][][] = [
  [
    [{ name: 'types', script: 'types' }],
    [
      { name: 'secrets', script: 'secrets' },
      { name: 'lint', script: 'lint' },
    ],
    [
      { name: 'format', script: 'format:check' },
      { name: 'dead code', script: 'dead-code' },
    ],
  ],
  [
    [{ name: 'build', script: 'build' }, noLts ? vitest('api') : onLts('api', 'api'), browser],
    [
      vitest('unit'),
      vitest('simulation', 'interleavings', ['--exclude=tests/chat/**']),
      // A sixth of the cores' time is left over by browsers that wait, and more by the api's tests.
      { ...vitest('simulation', 'chat simulation', ['tests/chat']), isPatient: true },
      ...(noLts ? [] : [{ ...onLts('unit', 'unit on LTS'), isPatient: true }]),
    ],
    // Mostly waiting.
    [vitest('sync')],
  ],
];
const folder = await mkdtemp(join(tmpdir(), 'leashwise-test-'));
const total: Outcome = { passed: 0, failed: 0, failures: [] };
const summary: string[] = [];
if (!findChromium(process.env)) await installChromium();
for (const rows of stages)
  await Promise.all(
    rows.map(async (row, index) => {
      for (const suite of row) await tell(suite, index > 0);
    }),
  );
await rm(folder, { recursive: true, force: true });
console.log(['\n━━ all', ...total.failures, ...summary, ...(noLts ? [noLts] : [])].join('\n'));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** @param apart what it says comes when it has ended */
async function tell(suite: Suite, apart: boolean): Promise<void> {
  const heading = `\n━━ ${suite.name}`;
  if (!apart) console.log(heading);
  const startedAt = Date.now();
  const report = join(folder, `${suite.name.replaceAll(' ', '-')}.json`);
  const said: Buffer[] = [];
  const { passed, failed, failures } = await run(suite, report, apart ? said : null);
  if (apart) console.log(`${heading}\n${Buffer.concat(said).toString()}`);
  total.passed += passed;
  total.failed += failed;
  total.failures.push(...failures);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const node = `Node ${suite.node ?? process.versions.node}`;
  summary.push(`${suite.name}: ${passed} passed, ${failed} failed (${node}, ${seconds} s)`);
}

/** @param said takes what it says; without, that goes where ours does */
async function run(suite: Suite, report: string, said: Buffer[] | null): Promise<Outcome> {
  const child = spawn(
    'npm',
    ['run', '--silent', suite.script, '--', ...(suite.args?.(report) ?? [])],
    {
      stdio: ['ignore', said ? 'pipe' : 'inherit', said ? 'pipe' : 'inherit'],
      env: { ...process.env, ...suite.env?.(report) },
    },
  );
  if (suite.isPatient && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => said?.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const text = suite.read && (await readFile(report, 'utf8').catch(() => undefined));
  const outcome: Outcome =
    suite.read && text
      ? suite.read(JSON.parse(text))
      : { passed: !suite.read && code === 0 ? 1 : 0, failed: 0, failures: [] };
  // Ended badly without a failed test, or ran none at all: that is a failure too.
  const isBad = outcome.failed === 0 && (code !== 0 || outcome.passed === 0);
  if (!isBad) return outcome;
  const why = `✗ ${suite.name} (ended with ${code}, after ${outcome.passed} tests)`;
  return { ...outcome, failed: 1, failures: [...outcome.failures, why] };
}
