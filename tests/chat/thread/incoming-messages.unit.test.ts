import { expect, test } from 'vitest';
import { findIncomingMessages } from '../../../client/features/chat/view/message-announcer.tsx';
import { unseenBelow } from '../../../client/features/chat/view/use-message-scroll.ts';

const message = (key: string, isOwn = false, segment = 'segment') => ({
  id: `${segment}.${key}`,
  text: key,
  at: '2026-11-22T12:00:00.000Z',
  isOwn,
  delivery: null,
});
const incoming = (...args: Parameters<typeof findIncomingMessages>) =>
  findIncomingMessages(...args).map(({ text }) => text);

test('finds new messages of the friend anywhere among the own ones', () => {
  const known = new Set(['a', 'own']);
  const own = message('own', true);
  expect(incoming([message('a'), message('b'), own, message('c')], known)).toEqual(['b', 'c']);
  expect(incoming([message('a'), own, message('of mine', true)], known)).toEqual([]);
  expect(incoming([message('first')], new Set())).toEqual(['first']);
});

test('ignores earlier messages that load late or repeat in a replaced segment', () => {
  const known = new Set(['a', 'b']);
  expect(incoming([message('before'), message('a'), message('b')], known)).toEqual([]);
  const again = [message('a', false, 'fresh'), message('b', false, 'fresh')];
  expect(incoming([...again, message('c', false, 'fresh')], known)).toEqual(['c']);
});

test('counts unread messages below the viewport, including segments that are not shown', () => {
  const all = ['a', 'b', 'c', 'd'].map((key) => message(key));
  const isBefore = (id: string, other: string) => id < other;
  const thread = { isBefore, unread: ['segment.a', 'segment.c', 'segment.d'] };
  const further = { ...thread, messages: all.slice(0, 2), hasLater: true };
  expect(unseenBelow(further, 'segment.d')).toBe(2);
  const newest = { ...thread, messages: all, hasLater: false };
  expect(unseenBelow(newest, 'segment.c')).toBe(1);
  expect(unseenBelow({ ...newest, messages: [...all, message('e', true)] }, 'segment.d')).toBe(0);
});
