import { createElement, type ComponentProps } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { WaitingBadge } from '../../client/features/friends/waiting-badge.tsx';

/** Returns the visible text and the accessible text of the badge. */
const shown = (props: ComponentProps<typeof WaitingBadge>) =>
  renderToStaticMarkup(createElement(WaitingBadge, props))
    .split(/<[^>]*>/)
    .filter(Boolean);

test('the badge counts up to 99 unread messages and is hidden without any', () => {
  expect(shown({ unread: 0 })).toEqual([]);
  expect(renderToStaticMarkup(createElement(WaitingBadge, { unread: 0 }))).toContain('hidden');
  expect(shown({ unread: 1 })).toEqual(['1', '1 unread message']);
  expect(shown({ unread: 99 })).toEqual(['99', '99 unread messages']);
  expect(shown({ unread: 100 })).toEqual(['99+', '99+ unread messages']);
});

test('the badge adds friend requests and names them separately', () => {
  expect(shown({ requests: 1 })).toEqual(['1', '1 friend request']);
  expect(shown({ unread: 1, requests: 2 })).toEqual(['3', '1 unread message, 2 friend requests']);
  expect(shown({ unread: 60, requests: 60 })).toEqual([
    '99+',
    '60 unread messages, 60 friend requests',
  ]);
});
