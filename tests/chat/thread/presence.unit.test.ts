import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Presence } from '../../../client/features/chat/thread/presence.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a friend with two devices is online and typing while either device says so', () => {
  const presence = new Presence(() => {});
  const theirs = new EventEmitter();
  presence.use({ isReady: () => false } as never, theirs as never);
  const say = (senderId: string, type: string, typing = false) =>
    theirs.emit('ephemeral-message', { senderId, message: { type, typing } });
  const now = () => [presence.isOnline, presence.isTyping];
  say('phone', 'here', true);
  say('laptop', 'here');
  expect(now()).toEqual([true, true]);
  // The laptop goes away while its owner keeps typing on the phone.
  say('laptop', 'away');
  expect(now()).toEqual([true, true]);
  say('phone', 'here');
  expect(now()).toEqual([true, false]);
  say('phone', 'here', true);
  vi.advanceTimersByTime(6_000);
  expect(now()).toEqual([true, false]);
  say('laptop', 'here');
  say('phone', 'away');
  expect(now()).toEqual([true, false]);
  vi.advanceTimersByTime(45_000);
  expect(now()).toEqual([false, false]);
  presence.close();
});
