// @vitest-environment jsdom
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { reportClientError } from '#shared/client-errors/contract.ts';
import { describeError } from '../../client/platform/client-errors/describe-error.ts';
import { allowErrorReports } from '../../client/platform/client-errors/error-reports.ts';
import { reportErrors } from '../../client/platform/client-errors/report-errors.ts';

const CHROME = `TypeError: Rex of Ann is at 51.5007,-0.1246
    at Dog (https://leashwise.example/assets/dogs-page-Bx3_k.js?user=ann:2:1045)
    at https://leashwise.example/assets/react-D1.js:9:77
    at async load (https://leashwise.example/chat/user-42/assets/index-A-b.js:1:5)`;
const SAFARI = `draw@https://leashwise.example/assets/walk-page-C.js:3:9
@https://leashwise.example/assets/react-D1.js:9:77`;

function failure(stack: string, message = 'Rex of Ann is at 51.5007,-0.1246', name = 'TypeError') {
  const error = new Error(message);
  return Object.assign(error, { stack, name });
}

afterEach(() => {
  allowErrorReports(true);
  vi.unstubAllGlobals();
});

test('describes an error by its class and its places in the code, and leaves out its message', () => {
  expect(describeError(failure(CHROME))).toEqual({
    error_class: 'TypeError',
    frames: ['react-D1.js:9:77', 'index-A-b.js:1:5'],
  });
  expect(describeError(failure(SAFARI))).toEqual({
    error_class: 'TypeError',
    frames: ['walk-page-C.js:3:9', 'react-D1.js:9:77'],
  });
});

test('a message that looks like a stack, a name that is no class, and other values reveal nothing', () => {
  const message = 'no\n    at x (https://a/assets/Meet-me-at-home.js:1:2)';
  const forged = failure(`Error: ${message}\n${SAFARI}`, message, 'Ann Smith');
  expect(describeError(forged)).toEqual({
    error_class: 'Error',
    frames: ['walk-page-C.js:3:9', 'react-D1.js:9:77'],
  });
  for (const thrown of ['a text', null, { stack: CHROME, name: 'Ann' }, 7])
    expect(describeError(thrown)).toEqual({ error_class: 'Error', frames: [] });
});

test('reports an unhandled error once, and only as the contract allows', async () => {
  const sent = vi.fn<(...sent: unknown[]) => Promise<Response>>(async () => Response.json({}));
  vi.stubGlobal('fetch', sent);
  const target = new EventTarget();
  onTestFinished(reportErrors(target));
  const fail = (error: unknown) =>
    target.dispatchEvent(Object.assign(new Event('error'), { error }));
  const reject = (reason: unknown) =>
    target.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));

  fail(failure(CHROME));
  fail(failure(CHROME, 'Bella of Bob'));
  reject(failure(SAFARI));
  reject('a text');
  fail(failure('Error\n    at extension (chrome-extension://abc/content.js:1:1)'));
  reject(failure(CHROME, 'not found', 'CallError'));
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  const bodies = sent.mock.calls.map(([, init]) => String((init as RequestInit).body));
  for (const body of bodies)
    expect(reportClientError.body?.safeParse(JSON.parse(body)).data).toEqual(JSON.parse(body));
  expect(JSON.stringify(sent.mock.calls)).not.toMatch(
    /Rex|Ann|Bella|51\.5|user-42|leashwise\.example/u,
  );

  allowErrorReports(false);
  fail(failure(CHROME.replace('react', 'other')));
  allowErrorReports(true);
  fail(failure(CHROME.replace('react', 'third')));
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(3));
  expect(JSON.stringify(sent.mock.calls)).not.toContain('other-D1');
});
