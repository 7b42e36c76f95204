import { afterEach, expect, test, vi } from 'vitest';
import { reachability } from '../../../client/platform/http/reachability.ts';
import { NoWebAssembly, obstacleOf } from '../../../client/platform/sync/state/obstacle.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  reachability.set(true);
});

const answers = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer));
const health = async () => Response.json({ status: 'ok' });
const nothing = async () => Promise.reject(new TypeError('Failed to fetch'));

test('the network is at fault only if our server doesn’t answer', async () => {
  answers(health);
  expect(await obstacleOf(new TypeError('Failed to fetch'))).toBe('blocked');
  answers(nothing);
  expect(await obstacleOf(new TypeError('Failed to fetch'))).toBe('no-network');
});

test('a browser that refuses WebAssembly is at fault even without a network', async () => {
  answers(nothing);
  expect(await obstacleOf(new NoWebAssembly('No WebAssembly'))).toBe('no-wasm');
  const refused = Object.assign(new Error('Wasm code generation disallowed'), {
    name: 'CompileError',
  });
  expect(await obstacleOf(refused)).toBe('no-wasm');
});
