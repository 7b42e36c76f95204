import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Summaries } from '../../../client/features/chat/conversations/conversation-cache.ts';

beforeEach(() => void vi.stubGlobal('document', new EventTarget()));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('stores the list of conversations for the next start, with the current names of friends', () => {
  vi.useFakeTimers();
  const storage = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  const row = (friend_user_id: string, last_activity: string) => ({
    friend_user_id,
    name: friend_user_id,
    preview: 'Hello',
    isOwn: false,
    last_activity,
    unread_count: 1,
  });
  const summaries = new Summaries('alex');
  summaries.set(row('sam', '2026-01-01T00:00:00.000Z'));
  summaries.set(row('kim', '2026-01-02T00:00:00.000Z'));
  const before = summaries.get();
  summaries.rename(new Map([['sam', 'sam']]));
  expect(summaries.get()).toBe(before);
  summaries.rename(new Map([['sam', 'Samuel']]));
  vi.runAllTimers();
  const names = () => new Summaries('alex').get().map(({ name }) => name);
  expect(names()).toEqual(['kim', 'Samuel']);
  expect(new Summaries('somebody else').get()).toEqual([]);
  summaries.keepOnly(new Set(['sam']));
  expect(names()).toEqual(['Samuel']);
});

test('stores the list when the user leaves the app, not for every message', () => {
  vi.useFakeTimers();
  const setItem = vi.fn<() => void>();
  vi.stubGlobal('localStorage', { getItem: () => null, setItem });
  const summaries = new Summaries('alex');
  const say = (preview: string) =>
    summaries.set({
      friend_user_id: 'sam',
      name: 'Sam',
      preview,
      isOwn: false,
      last_activity: '2026-01-01T00:00:00.000Z',
      unread_count: 1,
    });
  say('Hello');
  say('Are you there?');
  expect(setItem).not.toHaveBeenCalled();
  const leave = () => document.dispatchEvent(new Event('visibilitychange'));
  leave();
  expect(setItem).toHaveBeenCalledOnce();
  leave();
  vi.runAllTimers();
  expect(setItem).toHaveBeenCalledOnce();
});

test('stores nothing after it is closed', () => {
  vi.useFakeTimers();
  const setItem = vi.fn<() => void>();
  vi.stubGlobal('localStorage', { getItem: () => null, setItem });
  const summaries = new Summaries('alex');
  summaries.set({
    friend_user_id: 'sam',
    name: 'Sam',
    preview: 'Hello',
    isOwn: false,
    last_activity: '2026-01-01T00:00:00.000Z',
    unread_count: 0,
  });
  summaries.close();
  vi.runAllTimers();
  expect(setItem).not.toHaveBeenCalled();
});
