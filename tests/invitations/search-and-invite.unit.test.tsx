// @vitest-environment jsdom
import { expect, test } from 'vitest';
import InvitationsTab from '../../client/features/invitations/invitations-tab.tsx';
import { InviteForm } from '../../client/features/invitations/invite-form.tsx';
import SearchTab from '../../client/features/invitations/search-tab.tsx';
import { renderScreen } from '../render-screen.tsx';

test('an invitation can work for 1, 3, 7, 14 or 30 days, and 7 are chosen', async () => {
  await renderScreen(<InviteForm onMade={() => {}} />);
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')];
  expect(choices.map((choice) => choice.parentElement?.textContent)).toEqual([
    '1 day',
    '3 days',
    '7 days',
    '14 days',
    '30 days',
  ]);
  expect(choices.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(['7']);
});

test('search results show whether someone is a friend, asked or blocked', async () => {
  const user = (name: string, state: object = {}) => ({
    user_id: name,
    display_name: name,
    is_friend: false,
    has_pending_request: false,
    is_blocked: false,
    ...state,
  });
  const screen = await renderScreen(<SearchTab />, {
    answers: {
      'POST /api/users/search': {
        users: [
          user('Ann', { is_friend: true }),
          user('Bob', { has_pending_request: true }),
          user('Cleo', { is_blocked: true }),
          user('Dan'),
        ],
        has_more: false,
      },
    },
  });
  Element.prototype.scrollIntoView = () => {};
  await screen.type('input[type=search]', 'a name');
  await screen.type('input.font-mono', 'abcd1234');
  await screen.press('Search');
  const items = [...document.querySelectorAll('li')].map(({ textContent }) => textContent);
  for (const [index, words] of [
    /Ann.*Friends/,
    /Bob.*Request Pending/,
    /Cleo.*Blocked/,
    /Dan.*Send request/,
  ].entries())
    expect(items[index]).toMatch(words);
  expect(items).toHaveLength(4);
});

test('says that invitations could not be fetched where no document has them', async () => {
  const screen = await renderScreen(<InvitationsTab />);
  expect(screen.text()).toContain('Failed to fetch invitations');
  expect(screen.text()).toContain('Try again');
});
