// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import AccessCodePage from '../../client/features/access-gate/access-code-page.tsx';
import { renderScreen } from '../render-screen.tsx';

const FIELD = 'input[name=code]';
const field = () => document.querySelector<HTMLInputElement>(FIELD)!;

test('“Access Granted!” is shown for 1.5 s, then the dashboard opens', async () => {
  const screen = await renderScreen(<AccessCodePage />, {
    path: '/access-code',
    answers: {
      'POST /api/access-codes/validate': { code: 'PAWS', expires_at: '2027-01-01T00:00:00.000Z' },
    },
  });
  await screen.type(FIELD, 'paws');
  await screen.press('Continue');
  expect(screen.text()).toContain('Access Granted!');
  await screen.pass(1_499);
  expect(screen.address()).toBe('/access-code');
  await screen.pass(1);
  expect(screen.address()).toBe('/home');
});

test('the gate explains why a code is invalid, vibrates, and stores no access', async () => {
  const felt: number[][] = [];
  vi.stubGlobal('navigator', { vibrate: (pattern: number[]) => felt.push(pattern) });
  let answer = () =>
    Response.json({ error: 'Invalid access code', code: 'invalid_code' }, { status: 404 });
  const screen = await renderScreen(<AccessCodePage />, {
    path: '/access-code',
    answers: { 'POST /api/access-codes/validate': () => answer() },
  });
  const enter = async (code: string) => {
    await screen.type(FIELD, code);
    await screen.press('Continue');
    return screen.describedBy(FIELD);
  };
  expect(await enter('   ')).toBe('Please enter an access code');
  expect(screen.requests).not.toContain('POST /api/access-codes/validate');
  expect(felt).toEqual([]);
  await screen.type(FIELD, 'NOPE');
  expect(screen.describedBy(FIELD)).toBe('');
  expect(await enter('NOPE')).toBe('Invalid access code');
  expect(felt).toEqual([[200, 100, 200, 100, 200]]);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  expect(await enter('NOPE')).toBe('Failed to verify access code. Please try again.');
  expect([
    localStorage.getItem('access_verified'),
    localStorage.getItem('access_verified_at'),
  ]).toEqual([null, null]);
});

test('a code longer than 20 characters can be typed after a press, and pasted', async () => {
  const code = 'LONG-12345678-1234-1234-1234-123456789012';
  const screen = await renderScreen(<AccessCodePage />, { path: '/access-code' });
  expect(field().maxLength).toBe(20);
  await screen.type(FIELD, code.slice(0, 20));
  await screen.press('My code is longer');
  expect(field().maxLength).toBe(50);
  await screen.type(FIELD, code);
  expect(field().value).toBe(code);
  expect(screen.text()).not.toContain('My code is longer');

  const other = await renderScreen(<AccessCodePage />, { path: '/access-code' });
  const fields = document.querySelectorAll<HTMLInputElement>(FIELD);
  const pasted = fields[fields.length - 1]!;
  await other.paste(pasted, ` ${code} `);
  expect(pasted.value).toBe(code);
  expect(pasted.maxLength).toBe(50);
});
