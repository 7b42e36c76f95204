// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import LandingPage from '../../client/app/landing/landing-page.tsx';
import AccessCodePage from '../../client/features/access-gate/access-code-page.tsx';
import { readWanted } from '../../client/features/access-gate/wanted-path.ts';
import { renderScreen } from '../render-screen.tsx';

const user = {
  id: 'u1',
  email: 'rex@example.com',
  given_name: 'Rex',
  name: 'Rex',
  picture: null,
  is_admin: false,
  has_access: false,
  access_expires_at: null,
  documents: { card: 'automerge:a', account: 'automerge:b', contacts: 'automerge:c' },
};
const LINK = '/?ref=invitation-1&code=ABCD2345';
const SEARCH = '/social?tab=search&code=ABCD2345';
const opened = { path: LINK, answers: { 'GET /api/users/me': user as object } };
const signedIn = () => void (document.cookie = 'leashwise-signed-in=1');
beforeEach(() => {
  sessionStorage.clear();
  // The page's ads wait to be seen.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  document.cookie = 'leashwise-signed-in=; max-age=0';
});

test('an invitation’s link leads someone who signed up without access to the gate, with the invitation', async () => {
  signedIn();
  const page = await renderScreen(<LandingPage />, opened);
  expect([page.address(), page.search()]).toEqual(['/access-code', LINK.slice(1)]);
});

test('an invitation’s link leads a member to the search', async () => {
  signedIn();
  const answers = { 'GET /api/users/me': { ...user, has_access: true } };
  const page = await renderScreen(<LandingPage />, { ...opened, answers });
  expect(`${page.address()}${page.search()}`).toBe(SEARCH);
});

test('an invitation that lets nobody in is remembered for the sign-in of a member', async () => {
  const page = await renderScreen(<LandingPage />, { path: LINK });
  expect(page.address()).toBe('/');
  await expect.poll(readWanted).toBe(SEARCH);
});

test('the gate remembers an invitation that doesn’t let this person in', async () => {
  await renderScreen(<AccessCodePage />, { path: `/access-code${LINK.slice(1)}` });
  expect(readWanted()).toBe(SEARCH);
});
