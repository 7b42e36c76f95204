import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from '../stack/programs.ts';
import { CHROMIUM_PACKAGES, findChromium, hasHeadlessShell } from './chromium.ts';
import { installPackages } from './debian-packages.ts';
import { findNodeLts, NODE_LTS } from './node-lts.ts';
import { findMongod } from './real-mongod.ts';
import {
  readPlaywright,
  readVitest,
  withExit,
  withSecondRun,
  type Outcome,
} from './test-reports.ts';

/**
 * `npm test` runs the checks and the suites of a change, fastest first; `npm run test:faults` runs the suites that kill processes,
 * simulate failures, create bulk data or count seconds. `npm test -- faults` runs both. Prints one total for all of it, and
 * exits with 1 when anything failed or a suite ran no test. Suites that don't use all cores run in parallel.
 */
interface Suite {
  name: string;
  /** The package script that runs it. */
  script: string;
  /** Returns arguments that write a report to the file. @param files the only ones to run; by default, all of the suite */
  args?: (report: string, files?: readonly string[]) => string[];
  /** The Node release; by default, the installed one. */
  node?: string;
  env?: (report: string) => NodeJS.ProcessEnv;
  /** Reads the report. Without it, the suite counts as one test. */
  read?: (report: unknown) => Outcome;
}

/** @param which selects files on vitest's command line; by default, all */
const vitest = (project: string, name = project, which: readonly string[] = []): Suite => ({
  name,
  script: `test:${project}`,
  args: (report, files = which) => [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
  ],
  read: readVitest,
});
const GROUPS = ['main', 'faults'] as const;
type Group = (typeof GROUPS)[number];
const asked = GROUPS.filter((group) => process.argv.includes(group, 2));
if (asked.length === 0 || asked.length !== process.argv.length - 2)
  throw new Error(`Name what to run: ${GROUPS.join(', ')}`);
const lts = await findNodeLts({ log: console.log });
const mongod = await findMongod(process.env, console.log).then(
  (path) => ({ path }),
  (error: unknown) => ({ reason: `MongoDB's own server isn't available: ${String(error)}` }),
);
if ('reason' in mongod)
  console.log(
    `${mongod.reason}. The API tests run on the embedded engine, and the cluster tests fail.`,
  );
const noLts = 'reason' in lts ? `Node ${NODE_LTS.version} isn't available: ${lts.reason}` : '';
if (noLts)
  console.log(
    `${noLts}. The API and unit tests run on the installed Node ${process.versions.node}.`,
  );

/** Returns a suite that runs on the Node release of the Docker images, if it is available. */
const onLts = (project: string): Suite => {
  const suite = vitest(project);
  if (noLts) return suite;
  const args = (report: string, files?: readonly string[]) => [
    '--project',
    project,
    ...(suite.args?.(report, files) ?? []),
  ];
  return { ...suite, script: 'test:lts', args, node: NODE_LTS.version };
};
/** On a replica set, like production. The other suites and the browser tests use the embedded engine, like `npm start`. */
const api: Suite = {
  ...onLts('api'),
  env: () => ('path' in mongod ? { MONGOD_BINARY: mongod.path, TEST_REPLICA_SET: '1' } : {}),
};
const browser: Suite = {
  name: 'browser',
  script: 'test:browser',
  args: (_report, files) => ['--reporter=list,json', ...(files ? ['--trace=on', ...files] : [])],
  env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
  read: readPlaywright,
};
const KILLS = 'tests/tooling/kill.simulation.test.ts';
/** Rows of a stage run in parallel. The first row prints its output live, the others when they end. */
type Stage = Suite[][];
const groups: Record<Group, Stage[]> = {
  main: [
    [
      [{ name: 'types', script: 'types' }],
      [
        { name: 'secrets', script: 'secrets' },
        { name: 'lint', script: 'lint' },
      ],
      [
        { name: 'format', script: 'format:check' },
        { name: 'dead code', script: 'dead-code' },
        { name: 'build', script: 'build' },
      ],
    ],
    // The sync tests mostly wait for servers that they freeze or end.
    [[api], [vitest('sync'), onLts('unit')]],
    // It uses all cores.
    [[browser]],
  ],
  faults: [
    [
      [
        vitest('simulation', 'other simulations', [
          ...['tests/chat', 'tests/payments'].map((folder) => `--exclude=${folder}/**`),
          `--exclude=${KILLS}`,
        ]),
      ],
      [
        // It mostly waits for the processes that it killed.
        vitest('simulation', 'kill simulation', [KILLS]),
        vitest('simulation', 'payment simulation', ['tests/payments']),
      ],
      // Elections take most of the time of a new installation.
      [
        vitest('simulation', 'chat simulation', ['tests/chat']),
        vitest('cluster', 'new installation', ['tests/cluster/mongodb-init']),
      ],
    ],
    // It counts seconds.
    [[vitest('cluster', 'cluster', ['--exclude=tests/cluster/mongodb-init*'])]],
  ],
};
const stages = asked.flatMap((group) => groups[group]);
/** If more files than this failed, none runs a second time. */
const MAX_REPEATED_FILES = 5;
/** How many characters of a crashed suite's error output the summary repeats. */
const MAX_ERROR_OUTPUT = 10_000;
const startedAt = Date.now();
const secondsSince = (time: number) => Math.round((Date.now() - time) / 1000);
const folder = await mkdtemp(join(tmpdir(), 'leashwise-test-'));
const results: { suite: Suite; outcome: Outcome; seconds: number }[] = [];
if (!onPath('nats-server', process.env)) await installPackages('nats-server');
if (!hasHeadlessShell(process.env))
  await installPackages(...CHROMIUM_PACKAGES).catch((error: unknown) => {
    const path = findChromium(process.env);
    if (!path) throw error;
    console.log(`The browser tests run in ${path}, which is slower: ${String(error)}`);
  });
for (const rows of stages)
  await Promise.all(
    rows.map(async (row, index) => {
      for (const suite of row) await report(suite, index > 0);
    }),
  );
for (const result of results) await repeat(result);
await rm(folder, { recursive: true, force: true });
const sum = (key: 'passed' | 'failed') =>
  results.reduce((total, { outcome }) => total + outcome[key], 0);
console.log(
  [
    '\n━━ all',
    ...results.flatMap(({ outcome }) => outcome.failures),
    ...results.map(
      ({ suite, outcome: { passed, failed }, seconds }) =>
        `${suite.name}: ${passed} passed, ${failed} failed (Node ${suite.node ?? process.versions.node}, ${seconds} s)`,
    ),
    ...(noLts ? [noLts] : []),
    `all: ${secondsSince(startedAt)} s`,
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ].join('\n'),
);
process.exitCode = sum('failed') > 0 ? 1 : 0;

/** Runs a suite and notes its outcome. @param isBuffered prints its output when it ends */
async function report(suite: Suite, isBuffered: boolean): Promise<void> {
  const heading = `\n━━ ${suite.name}`;
  if (!isBuffered) console.log(heading);
  const begin = Date.now();
  const output: Buffer[] = [];
  const outcome = await run(suite, isBuffered ? output : null);
  if (isBuffered) console.log(`${heading}\n${Buffer.concat(output).toString()}`);
  results.push({ suite, outcome, seconds: secondsSince(begin) });
}

/**
 * Runs the files again whose tests failed, alone, which is the only retry: a test that passes then has failed because the machine
 * was busy, and is listed as such. Many failures are no accident, and count at once.
 */
async function repeat(result: (typeof results)[number]): Promise<void> {
  const { suite, outcome } = result;
  const { failed, failedFiles } = outcome;
  if (failed === 0 || !suite.read || failedFiles.length > MAX_REPEATED_FILES) return;
  console.log(`\n━━ ${suite.name}, second run`);
  const files = failedFiles.length > 0 ? failedFiles : undefined;
  result.outcome = withSecondRun(outcome, await run(suite, null, files));
}

/** @param output receives the output; by default, it goes to the console @param files the only ones to run */
async function run(
  suite: Suite,
  output: Buffer[] | null,
  files?: readonly string[],
): Promise<Outcome> {
  const report = join(folder, `${suite.name.replaceAll(' ', '-')}.json`);
  await rm(report, { force: true });
  const child = spawn(
    'npm',
    ['run', '--silent', suite.script, '--', ...(suite.args?.(report, files) ?? [])],
    {
      stdio: ['ignore', output ? 'pipe' : 'inherit', 'pipe'],
      env: { ...process.env, ...suite.env?.(report) },
    },
  );
  let lastErrors = '';
  child.stdout?.on('data', (chunk: Buffer) => output?.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => {
    if (output) output.push(chunk);
    else process.stderr.write(chunk);
    lastErrors = (lastErrors + chunk.toString()).slice(-MAX_ERROR_OUTPUT);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const text = suite.read && (await readFile(report, 'utf8').catch(() => undefined));
  const outcome: Outcome =
    suite.read && text
      ? suite.read(JSON.parse(text))
      : { passed: !suite.read && code === 0 ? 1 : 0, failed: 0, failures: [], failedFiles: [] };
  return withExit(outcome, { suite: suite.name, code, errorOutput: lastErrors });
}
