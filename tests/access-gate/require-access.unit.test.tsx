// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/time.ts';
import { isAccessVerified, setAccessVerified } from '../../client/features/access-gate/flags.ts';
import { RequireAccess } from '../../client/features/access-gate/require-access.tsx';
import { renderScreen } from '../render-screen.tsx';

const member = {
  id: 'u1',
  email: 'rex@example.com',
  given_name: 'Rex',
  name: 'Rex',
  picture: null,
  is_admin: false,
  has_access: true,
  access_expires_at: new Date(Date.now() + 20 * DAY_MS).toISOString(),
  documents: { card: 'automerge:a', account: 'automerge:b', contacts: 'automerge:c' },
};
// The server sets it with the session's cookie, which scripts can't see.
beforeEach(() => void (document.cookie = 'leashwise-signed-in=1'));

const screen = <RequireAccess>Members only</RequireAccess>;

test('a device whose flags are over asks the server, whose grant renews them', async () => {
  setAccessVerified(Date.now() - 31 * DAY_MS);
  const gate = await renderScreen(screen, {
    path: '/home',
    answers: { 'GET /api/users/me': member },
  });
  expect(gate.text()).toContain('Members only');
  expect(gate.address()).toBe('/home');
  expect(isAccessVerified()).toBe(true);
});

test('a clock that is 40 days ahead keeps no member out', async () => {
  // By the device, this access is over.
  const ahead = { ...member, access_expires_at: new Date(Date.now() - 20 * DAY_MS).toISOString() };
  const gate = await renderScreen(screen, {
    path: '/home',
    answers: { 'GET /api/users/me': ahead },
  });
  expect(gate.text()).toContain('Members only');
  expect(gate.address()).toBe('/home');
});

test('someone whom the server gives no access is led to the gate in spite of valid flags', async () => {
  setAccessVerified();
  const out = { ...member, has_access: false, access_expires_at: null };
  const gate = await renderScreen(screen, { path: '/home', answers: { 'GET /api/users/me': out } });
  expect(gate.address()).toBe('/access-code');
  expect(isAccessVerified()).toBe(false);
});
