import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listDrafts, saveDraft } from '#shared/chat/contract.ts';
import { listWarnings } from '#shared/moderation/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { askEarly, dropEarly, takeEarly } from '../../client/platform/http/early-answers.ts';
import { earlySettled } from '../../client/platform/http/early-settled.ts';
import { sandboxProviders } from '../../client/platform/http/reachability.ts';

const START = '/api/start?calls=…';
const DRAFTS = '/api/drafts';
const drafts = (text: string) => ({
  drafts: [{ friend_user_id: 'bob', text, copy: null, version: 1 }],
});

let answers: unknown;
const asked: string[] = [];
/** Answers each call with what the server has now. */
const send = async (url: string, { method = 'GET' }: RequestInit = {}) => {
  asked.push(`${method} ${url}`);
  if (url === START) return Response.json({ answers, sandbox_providers: ['weather'] });
  return Response.json(
    method === 'GET' ? drafts('of the call itself') : { draft: drafts('').drafts[0] },
  );
};
const call = caller({ fetch: send as typeof fetch, early: { take: takeEarly, drop: dropEarly } });
const shown = async () => (await call(listDrafts)).drafts[0]?.text;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', send);
  answers = [drafts('of the start')];
});
afterEach(() => {
  dropEarly();
  asked.splice(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a call uses the answer of a start once', async () => {
  askEarly(START, [DRAFTS]);
  expect(await shown()).toBe('of the start');
  expect(asked).toEqual([`GET ${START}`]);
  expect(await shown()).toBe('of the call itself');
  await earlySettled();
  expect(sandboxProviders.get()).toEqual(['weather']);
});

test.each<[string, unknown]>([
  ['has none', [null]],
  ['is not that of the call', [{ drafts: 'none' }]],
  ['does not exist', undefined],
])('a call asks itself where the answer of a start %s', async (_, given) => {
  answers = given;
  askEarly(START, [DRAFTS]);
  expect(await shown()).toBe('of the call itself');
});

test('a call asks itself after a change, or later than a start takes', async () => {
  askEarly(START, [DRAFTS]);
  const draft = { text: '', base_version: 0, drops_copy: false };
  await call(saveDraft, { params: { friendUserId: 'bob' }, body: draft });
  expect(await shown()).toBe('of the call itself');
  askEarly(START, [DRAFTS]);
  vi.advanceTimersByTime(10_000);
  expect(await shown()).toBe('of the call itself');
});

test('a call asks itself where a start fails', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  askEarly(START, [DRAFTS]);
  expect(await shown()).toBe('of the call itself');
});

test('a call asks itself where a start hangs', async () => {
  const timeout = new AbortController();
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const hang = (_: string, { signal }: RequestInit) =>
    new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(new Error('late'))));
  vi.stubGlobal('fetch', hang);
  askEarly(START, [DRAFTS]);
  limit.mockRestore();
  const text = shown();
  timeout.abort();
  expect(await text).toBe('of the call itself');
});

test('a call asks itself after the session was refused', async () => {
  askEarly(START, [DRAFTS]);
  const refusing = caller({
    fetch: () => Promise.resolve(Response.json({ error: 'Sign in' }, { status: 401 })),
    early: { take: takeEarly, drop: dropEarly },
  });
  await expect(refusing(listWarnings)).rejects.toThrow();
  expect(await shown()).toBe('of the call itself');
});
