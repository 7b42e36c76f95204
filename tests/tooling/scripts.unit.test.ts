import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readVitest, withExit, withSecondRun } from '../../scripts/test/test-reports.ts';

const ROOT = join(import.meta.dirname, '../..');

const SCRIPTS: Record<string, string> = {
  seed: 'scripts/cli/seed.ts',
  walk: 'scripts/cli/simulate-walker.ts',
};

/** Runs a script and returns its output and exit code. */
const run = (name: string, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const all = ['--import', 'tsx', SCRIPTS[name]!, ...args];
    const child = execFile(process.execPath, all, { cwd: ROOT }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

test.each(['seed', 'walk'])('%s prints its usage and explains an unknown option', async (name) => {
  const usage = `npm run ${name} -- `;
  const helped = await run(name, '--help');
  expect(helped).toMatchObject({ code: 0, err: '' });
  expect(helped.out).toContain(usage);
  const refused = await run(name, '--nonsense');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("Unknown option '--nonsense'");
  expect(refused.err).toContain(usage);
  expect(refused.err).not.toContain('at parseArgs');
});

const vitestReport = (tests: Record<string, 'passed' | 'failed'>) => {
  const statuses = Object.values(tests);
  return {
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    testResults: Object.entries(tests).map(([name, status]) => ({
      name: join(process.cwd(), `tests/${name}.unit.test.ts`),
      status,
      message: '',
      assertionResults: [
        { fullName: name, status, failureMessages: status === 'failed' ? ['expected 1'] : [] },
      ],
    })),
  };
};

test('a test that fails once and passes when its file runs again counts as passed, and is listed', () => {
  const first = readVitest(vitestReport({ busy: 'failed', broken: 'failed', good: 'passed' }));
  expect(first).toMatchObject({ passed: 1, failed: 2 });
  expect(first.failedFiles).toEqual(['tests/busy.unit.test.ts', 'tests/broken.unit.test.ts']);
  const second = readVitest(vitestReport({ busy: 'passed', broken: 'failed' }));
  expect(withSecondRun(first, second)).toEqual({
    passed: 2,
    failed: 1,
    failedFiles: ['tests/broken.unit.test.ts'],
    failures: [
      'Passed in the second run: ✗ tests/busy.unit.test.ts › busy\n    expected 1',
      'Failed in the second run, too: ✗ tests/broken.unit.test.ts › broken\n    expected 1',
    ],
  });
});

test('a suite that crashed counts like its second run', () => {
  const crash = { passed: 3, failed: 1, failures: ['✗ sync ended with an error'], failedFiles: [] };
  const good = readVitest(vitestReport({ one: 'passed', two: 'passed' }));
  expect(withSecondRun(crash, good)).toMatchObject({ passed: 2, failed: 0 });
  expect(withSecondRun(crash, crash)).toMatchObject({ passed: 3, failed: 1 });
});

test('a suite with an error that no test caught fails, and runs again as a whole', () => {
  const good = readVitest(vitestReport({ one: 'passed' }));
  const bad = readVitest(vitestReport({ one: 'passed', two: 'failed' }));
  const errorOutput = 'Vitest caught 1 unhandled error during the test run.';
  expect(withExit(good, { suite: 'unit', code: 0, errorOutput: 'a warning' })).toEqual(good);
  expect(withExit(bad, { suite: 'unit', code: 1, errorOutput: 'a warning' })).toEqual(bad);
  for (const outcome of [good, bad])
    expect(withExit(outcome, { suite: 'unit', code: 1, errorOutput })).toEqual({
      passed: 1,
      failed: outcome.failed + 1,
      failures: [
        ...outcome.failures,
        `✗ unit ended with an error\nExit code 1 after 1 tests\n${errorOutput}`,
      ],
      failedFiles: [],
    });
});

test('a suite that ran no test fails', () => {
  const none = { passed: 0, failed: 0, failures: [], failedFiles: [] };
  expect(withExit(none, { suite: 'unit', code: 0, errorOutput: '' })).toMatchObject({ failed: 1 });
});

test('the commands for tests name what they run', async () => {
  const command = ['--import', 'tsx', 'scripts/test/test.ts'];
  for (const names of [[], ['main', 'faluts']]) {
    const [code, errors] = await new Promise<[number | null, string]>((resolve) => {
      const child = execFile(
        process.execPath,
        [...command, ...names],
        { cwd: ROOT },
        (_, __, err) => resolve([child.exitCode, err]),
      );
    });
    expect(code).toBe(1);
    expect(errors).toContain('main, faults');
  }
});
