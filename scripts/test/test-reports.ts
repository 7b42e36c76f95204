import { relative } from 'node:path';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonAssertionResult, JsonTestResults } from 'vitest/reporters';

const SECOND_TRY = ' (passed at the second try)';

/** What a suite came to. */
export interface Outcome {
  passed: number;
  failed: number;
  /** Each test that failed once, with what it said: in a run of 20 minutes nobody finds it again where it was said first. */
  failures: string[];
}

/** @param report vitest's, of its reporter 'json' */
export function readVitest(report: unknown): Outcome {
  const { numPassedTests, testResults } = report as JsonTestResults;
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'passed' || tests.length > 0)
      return tests.map((test) => describeFailure(`${file} › ${test.fullName}`, whyOf(test)));
    // A file that could not even be loaded has no tests that could fail.
    return [describeFailure(file, message)];
  });
  const flaky = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((test) => test.status === 'passed' && whyOf(test) !== '')
      .map((test) =>
        describeFailure(
          `${relative(process.cwd(), name)} › ${test.fullName}${SECOND_TRY}`,
          whyOf(test),
        ),
      ),
  );
  return { passed: numPassedTests, failed: failed.length, failures: [...flaky, ...failed] };
}

/** @param report Playwright's, of its reporter 'json' */
export function readPlaywright(report: unknown): Outcome {
  const { stats, errors, suites } = report as JSONReport;
  const failures = suites
    .flatMap(specsOf)
    .flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, results }) =>
          describeFailure(
            `${spec.file}:${spec.line} › ${spec.title}${status === 'flaky' ? SECOND_TRY : ''}`,
            results.find(({ error }) => error)?.error?.message,
          ),
        ),
    );
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failures: [...failures, ...errors.map(({ message }) => describeFailure('browser', message))],
  };
}

function whyOf({ failureMessages }: JsonAssertionResult): string {
  return failureMessages?.join('\n') ?? '';
}

function specsOf({ specs, suites = [] }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function describeFailure(name: string, message = ''): string {
  const lines = message.split('\n').slice(0, 12);
  return [`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
