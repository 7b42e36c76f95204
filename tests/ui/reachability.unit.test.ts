// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { health } from '#shared/health/contract.ts';
import { call } from '../../client/platform/http/api.ts';
import { queries } from '../../client/platform/http/query-client.ts';
import { probe, reachability, watchReachability } from '../../client/platform/http/reachability.ts';

let answer: () => Promise<Response>;
const isAnswered = async () => Response.json({ status: 'ok' });
const isUnanswered = () => Promise.reject(new TypeError('Failed to fetch'));
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  answer = isAnswered;
  vi.stubGlobal('fetch', () => answer());
  reachability.set(true);
  stop = watchReachability();
  queries.mount();
});
afterEach(async () => {
  answer = isAnswered;
  await probe();
  stop();
  queries.unmount();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a browser that claims to be offline while our server answers changes nothing', async () => {
  const states: boolean[] = [];
  const unsubscribe = reachability.subscribe(() => states.push(reachability.get()));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  dispatchEvent(new Event('offline'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(states).toEqual([]);
  expect(await queries.fetchQuery({ queryKey: ['a'], queryFn: () => 'an answer' })).toBe(
    'an answer',
  );
  unsubscribe();
  vi.restoreAllMocks();
});

test('a server that does not answer is unreachable, although the browser claims to be online, until it answers', async () => {
  answer = isUnanswered;
  await expect(call(health)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(reachability.get()).toBe(false);
  const asked = queries.fetchQuery({ queryKey: ['b'], queryFn: () => 'an answer' });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(queries.getQueryState(['b'])?.fetchStatus).toBe('paused');
  answer = isAnswered;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(reachability.get()).toBe(true);
  expect(await asked).toBe('an answer');
});

test('the page of a captive portal is no answer', async () => {
  answer = async () => new Response('<html>Sign in to this Wi-Fi</html>');
  await probe();
  expect(reachability.get()).toBe(false);
});

test('one call that fails while the server answers others leaves it reachable', async () => {
  answer = () => {
    answer = isAnswered;
    return isUnanswered();
  };
  await expect(call(health)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reachability.get()).toBe(true);
});
