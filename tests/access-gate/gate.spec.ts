import type { Page } from '@playwright/test';
import { expect, expectAccessible, freshEmail, loginUrl, test } from '../browser.ts';
import { recordVibrations } from '../record-vibrations.ts';

const DAY = 86_400_000;

const flags = (page: Page) =>
  page.evaluate(() => [
    localStorage.getItem('access_verified'),
    localStorage.getItem('access_verified_at'),
  ]);

/** Sets the access flags on the device for the next screen. */
const setFlags = (page: Page, at: number) =>
  page.evaluate((time) => {
    localStorage.setItem('access_verified', 'true');
    localStorage.setItem('access_verified_at', String(time));
  }, at);

test('a valid code lets a visitor in', async ({ page, makeCode }) => {
  const code = await makeCode();
  const felt = await recordVibrations(page);
  // 'Access Granted!' shows for 1.5 s, which is too short for axe on a busy machine. axe needs the page's own clock.
  await page.addInitScript(() => {
    const { setTimeout: start } = window;
    window.setTimeout = ((run: () => void, ms?: number) =>
      start(run, ms === 1500 ? 6_000 : ms)) as typeof window.setTimeout;
  });
  await page.goto('/access-code');
  await expect(page).toHaveTitle('Access code · Leashwise');
  const field = page.getByLabel('Access code');
  await field.fill('X'.repeat(30));
  await expect(field).toHaveValue('X'.repeat(20));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(field).toHaveAccessibleDescription('Invalid access code');
  await expectAccessible(page);
  const sent = page.waitForRequest('**/api/access-codes/validate');
  await field.fill(` ${code.toLowerCase()} `);
  await page.getByRole('button', { name: 'Continue' }).click();
  expect((await sent).postDataJSON()).toEqual({ code });
  await expect(page.getByText('Access Granted!')).toBeVisible();
  await expect.poll(felt).toEqual([[200, 100, 200, 100, 200], [100]]);
  await expectAccessible(page);
  expect((await flags(page))[0]).toBe('true');
  // The dashboard requires a session, so a visitor is redirected to sign in.
  await expect(page).toHaveURL('/welcome');
});

test('a tab at the gate continues when another tab enters a code', async ({
  page,
  context,
  makeCode,
}) => {
  const code = await makeCode();
  await page.goto('/access-code');
  await page.getByRole('button', { name: 'No code? Donate $1' }).click();
  const other = await context.newPage();
  await other.goto('/access-code');
  await other.getByLabel('Access code').fill(code);
  await other.getByRole('button', { name: 'Continue' }).click();
  await expect(other).toHaveURL('/welcome');
  await expect(page).toHaveURL('/welcome');
});

test('protected pages redirect to the gate, and flags younger than 30 days lead a signed-out visitor to sign-in', async ({
  page,
}) => {
  for (const path of ['/home', '/onboarding', '/auth/callback']) {
    await page.goto(path);
    await expect(page).toHaveURL('/access-code');
  }
  await setFlags(page, Date.now() - 30 * DAY - 60_000);
  await page.goto('/home');
  await expect(page).toHaveURL('/access-code');
  expect(await flags(page)).toEqual([null, null]);
  await setFlags(page, Date.now() - 29 * DAY);
  await page.goto('/home');
  await expect(page).toHaveURL('/welcome');
});

test('access flags left by another user do not replace a grant', async ({
  page,
  context,
  origin,
  makeCode,
}) => {
  const code = await makeCode();
  await page.goto('/access-code');
  await setFlags(page, Date.now());
  await page.goto(await loginUrl(context, origin, freshEmail('stranger')));
  await expect(page).toHaveURL('/access-code');
  expect(await flags(page)).toEqual([null, null]);
  // The user is signed in, so the code takes effect at once, even if the request for the user fails.
  await page.route('**/api/users/me', (route) => route.abort());
  await page.getByLabel('Access code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/onboarding');
});

test('a member needs no code on a new device', async ({ owner, device }) => {
  const first = await owner({ name: 'Kim' });
  const { page } = await device(first);
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Kim' })).toBeVisible();
  expect((await flags(page))[0]).toBe('true');
});

test('a call refused for missing access redirects to the gate', async ({ owner }) => {
  const { page } = await owner({ sharing: true, at: { latitude: 11.5, longitude: 7.1 } });
  await page.route('**/api/location', (route) =>
    route.fulfill({ status: 403, json: { error: 'Access has ended', code: 'no_access' } }),
  );
  await page.goto('/home');
  await expect(page).toHaveURL('/access-code');
  expect(await flags(page)).toEqual([null, null]);
});
