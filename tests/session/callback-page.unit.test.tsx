// @vitest-environment jsdom
import { expect, test } from 'vitest';
import CallbackPage from '../../client/app/session/callback-page.tsx';
import { renderScreen } from '../render-screen.tsx';

test('the error of a failed sign-in is shown for 2 s, then the welcome screen opens', async () => {
  const screen = await renderScreen(<CallbackPage />, { path: '/auth/callback?code=a&state=b' });
  expect(screen.text()).toContain('Authentication failed. Please try again.');
  await screen.pass(1_999);
  expect(screen.address()).toBe('/auth/callback');
  await screen.pass(1);
  expect(screen.address()).toBe('/welcome');
});
