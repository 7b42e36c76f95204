import { join, relative } from 'node:path';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonAssertionResult, JsonTestResults } from 'vitest/reporters';

/** The result of a suite. */
export interface Outcome {
  passed: number;
  failed: number;
  /** Each test that failed at least once, with its error. */
  failures: string[];
  /** The files of the tests that failed. Empty if it isn't known which they are. */
  failedFiles: string[];
}

/** How Vitest says that code failed outside of the tests, which its report does not contain. */
const UNHANDLED = /Vitest caught \d+ unhandled errors?/;

/**
 * Adds failures that a report does not contain: of a suite that crashed, ran no tests, or had errors that no test caught.
 * @param exit.errorOutput the end of what the suite wrote to stderr
 */
export function withExit(
  outcome: Outcome,
  exit: { suite: string; code: number | null; errorOutput: string },
): Outcome {
  const isSilent = outcome.failed === 0 && (exit.code !== 0 || outcome.passed === 0);
  if (!isSilent && !UNHANDLED.test(exit.errorOutput)) return outcome;
  const failure = `✗ ${exit.suite} ended with an error\nExit code ${exit.code} after ${outcome.passed} tests\n${exit.errorOutput}`;
  return {
    ...outcome,
    failed: outcome.failed + 1,
    failures: [...outcome.failures, failure],
    // The cause may be in any file.
    failedFiles: [],
  };
}

/**
 * Returns the result of a suite whose failed files ran a second time.
 * @param first has failures
 * @param second of the failed files, or of the whole suite if `first` doesn't name any
 */
export function withSecondRun(first: Outcome, second: Outcome): Outcome {
  const isWhole = first.failedFiles.length === 0;
  const nameOf = (failure: string) => failure.split('\n')[0];
  const again = new Set(second.failures.map(nameOf));
  const passedNow = first.failures.filter((failure) => !again.has(nameOf(failure)));
  return {
    passed: isWhole ? second.passed : first.passed + Math.max(0, first.failed - second.failed),
    failed: second.failed,
    failures: [
      ...passedNow.map((failure) => `Passed in the second run: ${failure}`),
      ...second.failures.map((failure) => `Failed in the second run, too: ${failure}`),
    ],
    failedFiles: second.failedFiles,
  };
}

/** Reads the report of vitest's `json` reporter. */
export function readVitest(report: unknown): Outcome {
  const { numPassedTests, testResults } = report as JsonTestResults;
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'passed' || tests.length > 0)
      return tests.map((test) => describeFailure(`${file} › ${test.fullName}`, errorsOf(test)));
    // A file that failed to load has no tests.
    return [describeFailure(file, message)];
  });
  const failedFiles = testResults
    .filter(({ status }) => status !== 'passed')
    .map(({ name }) => relative(process.cwd(), name));
  return { passed: numPassedTests, failed: failed.length, failures: failed, failedFiles };
}

/** Reads the report of Playwright's `json` reporter. */
export function readPlaywright(report: unknown): Outcome {
  const { config, stats, errors, suites } = report as JSONReport;
  const specs = suites.flatMap(specsOf);
  const failures = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) =>
        describeFailure(
          `${spec.file}:${spec.line} › ${spec.title}`,
          results.find(({ error }) => error)?.error?.message,
        ),
      ),
  );
  const failedFiles = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
    .map(({ file }) => relative(process.cwd(), join(config.rootDir, file)));
  return {
    passed: stats.expected,
    failed: stats.unexpected + errors.length,
    failures: [...failures, ...errors.map(({ message }) => describeFailure('browser', message))],
    failedFiles: [...new Set(failedFiles)],
  };
}

function errorsOf({ failureMessages }: JsonAssertionResult): string {
  return failureMessages?.join('\n') ?? '';
}

function specsOf({ specs, suites = [] }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function describeFailure(name: string, message = ''): string {
  const lines = message.split('\n').slice(0, 12);
  return [`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
