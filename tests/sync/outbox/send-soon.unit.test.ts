import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reachability } from '../../../client/platform/http/reachability.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';

// Unit tests share the modules of their worker: those that another file loaded would not have these mocks.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

const outbox = vi.hoisted(() => ({
  add: async () => 'key',
  isWaiting: (_key: string): boolean => true,
  isRefused: (_key: string): boolean => false,
  report: (_outcome: { key: string; refusal: unknown }) => {},
  onOutcome(listener: (outcome: { key: string; refusal: unknown }) => void) {
    outbox.report = listener;
    return () => (outbox.report = () => {});
  },
}));
vi.mock('../../../client/platform/sync/outbox/outbox.ts', () => ({ outboxOf: () => outbox }));
const { sendSoon } = await import('../../../client/platform/sync/outbox/send-soon.ts');

beforeEach(() => {
  vi.useFakeTimers();
  outbox.isWaiting = () => true;
  outbox.isRefused = () => false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const send = () => sendSoon({} as UserDocuments, 'hazards.report', { params: { id: 'a' } }, 'Ice');

test('a screen hears whether the server did it', async () => {
  const answered = send();
  await vi.advanceTimersByTimeAsync(0);
  outbox.report({ key: 'another', refusal: null });
  outbox.report({ key: 'key', refusal: null });
  expect(await answered).toBe('done');
});

test('a screen hears that the server refused it', async () => {
  const answered = send();
  await vi.advanceTimersByTimeAsync(0);
  outbox.report({ key: 'key', refusal: new Error('no') });
  expect(await answered).toBe('refused');
});

test('what the server does not answer soon waits, and with no network at once', async () => {
  const answered = send();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await answered).toBe('waiting');
  vi.spyOn(reachability, 'get').mockReturnValue(false);
  const offline = send();
  await vi.advanceTimersByTimeAsync(0);
  expect(await offline).toBe('waiting');
});

test('what another tab sent is done', async () => {
  const answered = send();
  outbox.isWaiting = () => false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await answered).toBe('done');
});

test('what was refused before the screen asks, or in another tab, is refused', async () => {
  outbox.isRefused = () => true;
  outbox.isWaiting = () => false;
  const before = send();
  await vi.advanceTimersByTimeAsync(0);
  expect(await before).toBe('refused');
  outbox.isWaiting = () => true;
  const elsewhere = send();
  await vi.advanceTimersByTimeAsync(0);
  outbox.isWaiting = () => false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await elsewhere).toBe('refused');
});
