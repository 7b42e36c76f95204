import { expect, test } from 'vitest';
import { reuseUnchanged } from '../../../client/features/chat/thread/open-thread.ts';

const [one, two] = [{ id: 'one' }, { id: 'two' }];

test('reuses the previous object when nothing changed', () => {
  const before = { messages: [one, two], isReady: true };
  expect(reuseUnchanged(before, { messages: [one, two], isReady: true })).toBe(before);
  expect(reuseUnchanged(undefined, before)).toBe(before);
});

test('creates a new object for changes and reuses unchanged lists', () => {
  const before = { messages: [one, two], unread: ['one'], isReady: false };
  const ready = reuseUnchanged(before, { messages: [one, two], unread: ['one'], isReady: true });
  expect(ready).not.toBe(before);
  expect(ready).toEqual({ messages: [one, two], unread: ['one'], isReady: true });
  expect(ready.messages).toBe(before.messages);
  const read = reuseUnchanged(ready, { messages: [one, { ...two }], unread: [], isReady: true });
  expect(read.unread).toEqual([]);
  expect(read.messages).not.toBe(before.messages);
  expect(read.messages[0]).toBe(one);
});
