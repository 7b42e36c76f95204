import { relative } from 'node:path';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/reporters';

/** What a suite came to. */
export interface Outcome {
  passed: number;
  failed: number;
  /** Each test that failed, with what it said: in a run of 20 minutes nobody finds it again where it was said first. */
  failures: string[];
}

/** @param report vitest's, of its reporter 'json' */
export function readVitest(report: unknown): Outcome {
  const { numPassedTests, testResults } = report as JsonTestResults;
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      // A file that could not even be loaded has no tests that could fail.
      if (tests.length === 0) return [describeFailure(file, message)];
      return tests.map((test) =>
        describeFailure(`${file} › ${test.fullName}`, test.failureMessages?.join('\n')),
      );
    });
  return { passed: numPassedTests, failed: failures.length, failures };
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
            `${spec.file}:${spec.line} › ${spec.title}${status === 'flaky' ? ' (passed at the second try)' : ''}`,
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

function specsOf({ specs, suites = [] }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function describeFailure(name: string, message = ''): string {
  const lines = message.split('\n').slice(0, 12);
  return [`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
