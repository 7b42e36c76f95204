import { gzipSync } from 'node:zlib';
import { expect, expectAccessible, test } from '../browser.ts';

const BUDGET_BYTES = 120_000;

test('a visitor finds the way in, and more about it', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Leashwise');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Leashwise' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const more = page.getByRole('heading', { name: 'Both are told at once' });
  const toggle = page.getByRole('button', { name: 'Learn More' });
  await expect(more).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(more).toBeVisible();
  await expectAccessible(page);
  await toggle.click();
  await expect(more).toBeHidden();
  await page.getByRole('link', { name: 'Get Access Code' }).click();
  await expect(page).toHaveURL('/access-code');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('advertising is no dead end', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Advertise With Us' }).click();
  await expect(page).toHaveURL('/advertiser-signup');
  await expect(page.getByRole('heading', { name: 'Company Information' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Leashwise' }).click();
  await expect(page).toHaveURL('/');
});

test('whoever is signed in goes on to the dashboard', async ({ owner }) => {
  const { page } = await owner({ name: 'Robin' });
  await page.goto('/');
  await expect(page).toHaveURL('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Robin' })).toBeVisible();
});

test('it loads little JavaScript, and no wasm', async ({ page }) => {
  const scripts = new Map<string, Promise<Buffer>>();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) scripts.set(pathname, response.body());
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(
    [...scripts.values()].map(async (body) => gzipSync(await body).length),
  );
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(requested.filter((path) => path.endsWith('.wasm'))).toEqual([]);
});

test('the welcome screen says what it does and how it works', async ({ page }) => {
  await page.goto('/welcome');
  await expect(page).toHaveTitle('Welcome · Leashwise');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A calmer walk, for every dog');
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Warned in time',
    'Both of you',
    'Nobody sees where',
    'Sign in',
    'Tell us about your dog',
    'Share your location',
    'Walk',
  ]);
  await expect(page.getByRole('button', { name: 'Get Started with Google' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start Free Today' })).toBeVisible();
  await expectAccessible(page);
});

test('the welcome screen says so when sign-in cannot be reached', async ({ page, context }) => {
  await page.goto('/welcome');
  const start = page.getByRole('button', { name: 'Get Started with Google' });
  await expect(start).toBeVisible();
  await context.setOffline(true);
  await start.click();
  await expect(page.getByRole('alert')).toContainText('Sign-in cannot be reached');
  await expect(page.getByRole('button', { name: 'Get Started with Google' })).toBeEnabled();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expectAccessible(page);
});

test('an address that does not exist says so', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This trail leads nowhere');
  await expectAccessible(page);
});

test('an installation with stand-ins says so', async ({ page }) => {
  await page.goto('/');
  const list = page.getByText('Simulated: Google sign-in');
  await expect(list).toBeHidden();
  await page.getByText(/Trial: \d+ services are simulated/).click();
  await expect(list).toBeVisible();
  await expectAccessible(page);
});
