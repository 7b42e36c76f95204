import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { UnreadBadge } from '../../client/chat/unread-badge.tsx';

const words = (count: number) =>
  renderToStaticMarkup(createElement(UnreadBadge, { count })).replaceAll(/<[^>]*>/g, '');

test('unread messages are counted up to 99; none are not shown', () => {
  expect(words(0)).toBe('');
  expect(words(1)).toBe('1 unread message');
  expect(words(99)).toBe('99 unread messages');
  expect(words(100)).toBe('99+ unread messages');
});
