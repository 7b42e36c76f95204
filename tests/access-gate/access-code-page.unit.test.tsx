// @vitest-environment jsdom
import { expect, test } from 'vitest';
import AccessCodePage from '../../client/access-gate/access-code-page.tsx';
import { renderScreen } from '../render-screen.tsx';

test('“Access Granted!” is shown for 1.5 s, then the dashboard opens', async () => {
  const screen = await renderScreen(<AccessCodePage />, {
    path: '/access-code',
    answers: {
      'POST /api/access-codes/validate': { code: 'PAWS', expires_at: '2027-01-01T00:00:00.000Z' },
    },
  });
  await screen.type('input[name=code]', 'paws');
  await screen.press('Continue');
  expect(screen.text()).toContain('Access Granted!');
  await screen.pass(1_499);
  expect(screen.address()).toBe('/access-code');
  await screen.pass(1);
  expect(screen.address()).toBe('/home');
});
