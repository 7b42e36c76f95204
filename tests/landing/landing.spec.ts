import { gzipSync } from 'node:zlib';
import { expect, expectAccessible, offlineTest, screenHeading, test } from '../browser.ts';
import { actionsOf, record } from '../proximity/recording.ts';

// React and its router are 73 kB of it. The ad that a computer shows in its first view loads what asks for it, and nothing of the dashboard.
const BUDGET_BYTES = { phone: 90_000, computer: 179_500 };
const SIZES = { phone: { width: 360, height: 740 }, computer: { width: 1280, height: 800 } };

test('a visitor reads about the app, its price, advertising, simulated services, privacy and terms', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Leashwise');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Leashwise' })).toBeVisible();
  await expect(screenHeading(page)).toBeVisible();
  const more = page.getByRole('heading', { name: 'Both owners are warned' });
  const toggle = page.getByRole('button', { name: 'Learn More' });
  await expect(more).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(more).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'More about Leashwise' })).toBeFocused();
  const simulated = page.getByText('Simulated: Google sign-in');
  await expect(simulated).toBeHidden();
  await page.getByText(/Trial: \d+ services are simulated/).click();
  await expect(simulated).toBeVisible();
  await expectAccessible(page);
  await toggle.click();
  await expect(more).toBeHidden();
  await expect(page.getByRole('region', { name: 'What it costs' })).toContainText('$1');
  await expect(page.getByRole('region', { name: 'What others see' })).toContainText(
    'steps of 10 feet',
  );
  expect(await page.evaluate(async () => (await document.fonts.load('16px Figtree')).length)).toBe(
    1,
  );
  await page.getByRole('link', { name: 'Privacy', exact: true }).click();
  await expect(page).toHaveTitle(/^Privacy at Leashwise/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Terms of use' }).click();
  await expect(page.getByRole('heading', { name: 'Terms of use', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to the start' }).click();
  await page.getByRole('link', { name: 'Terms of use' }).click();
  await expect(page).toHaveURL('/terms');
  await page.getByRole('link', { name: 'Leashwise' }).first().click();

  await page.getByRole('link', { name: 'Advertise With Us' }).click();
  await expect(page).toHaveURL('/advertiser-signup');
  await expect(page.getByRole('heading', { name: 'Company Information' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Leashwise' }).click();
  await expect(page).toHaveURL('/');

  await page.getByRole('link', { name: 'Apply as a charity' }).click();
  await expect(page).toHaveURL('/charity-signup');
  await expect(page.getByText('Step 1 of 3')).toBeVisible();
  await page.getByRole('link', { name: 'Leashwise' }).click();
  await page.getByRole('link', { name: 'Get Access Code' }).click();
  await expect(page).toHaveURL('/access-code?get');
  await expect(screenHeading(page)).toHaveText('Get an access code');
  await expect(page.getByRole('button', { name: /^No code\? Donate/ })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
  await page.goBack();
  await page.getByRole('link', { name: 'I have a code' }).click();
  await expect(page).toHaveURL('/access-code');
  await expect(screenHeading(page)).toHaveText('Enter your access code');
  await expect(screenHeading(page)).toBeFocused();
});

for (const device of ['phone', 'computer'] as const)
  offlineTest(
    `loads little JavaScript on a ${device}, no service worker and no wasm before sign-in`,
    async ({ page }) => {
      const scripts = new Map<string, Promise<Buffer>>();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.endsWith('.js')) scripts.set(pathname, response.body());
      });
      await page.setViewportSize(SIZES[device]);
      await page.goto('/', { waitUntil: 'networkidle' });
      await expect(screenHeading(page)).toBeVisible();
      const sizes = await Promise.all(
        [...scripts.values()].map(async (body) => gzipSync(await body).length),
      );
      expect(sizes.length).toBeGreaterThan(1);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET_BYTES[device]);
      expect(requested.filter((path) => path.endsWith('.wasm'))).toEqual([]);
      const workers = await page.evaluate(
        async () => (await navigator.serviceWorker.getRegistrations()).length,
      );
      expect(workers).toBe(0);
    },
  );

test('a visitor hears both sounds with one tap', async ({ page, context }) => {
  await record(context);
  await page.goto('/');
  const play = page.getByRole('button', { name: 'Play both sounds' });
  // Each is said for less than a second.
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    new MutationObserver(() => {
      const text = /Playing: (Needs space|Friendly)/.exec(document.body.textContent)?.[1];
      if (text && said.at(-1) !== text) said.push(text);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  await play.click();
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { said: string[] }).said))
    .toEqual(['Needs space', 'Friendly']);
  await expect(play).toHaveAttribute('aria-busy', 'false');
  // The attention tone of a dog that needs space, and its barks, then the higher barks of a friendly dog.
  const tones = (await actionsOf(page)).filter(({ what }) => what === 'tone');
  expect(tones.length).toBeGreaterThanOrEqual(1);
  await expect(page.getByText('Nothing to hear?')).toBeHidden();
  await expectAccessible(page);
});

test('whoever has access finds one button on the welcome page', async ({ page, code }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/access-code');
  await page.getByLabel('Access code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/welcome');
  await expect(screenHeading(page)).toHaveText('Sign in to start');
  await expect(page.getByRole('button', { name: 'Get Started with Google' })).toBeInViewport();
  const more = page.getByRole('button', { name: 'Start Free Today' });
  await expect(more).toBeHidden();
  await page.getByText('How Leashwise works').click();
  await expect(more).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(
    (await page.locator('details', { hasText: 'How Leashwise works' }).boundingBox())?.width,
  ).toBeLessThanOrEqual(448);
});

test('the welcome page explains the app and says when the sign-in service can’t be reached', async ({
  page,
  context,
}) => {
  await page.goto('/welcome');
  await expect(page).toHaveTitle('Welcome · Leashwise');
  await expect(screenHeading(page)).toHaveText('A calmer walk, for every dog');
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Warned in time',
    'Both of you',
    'No one sees where you are',
    'Sign in',
    'Tell us about your dog',
    'Share your location',
    'Walk',
  ]);
  await expect(page.getByRole('button', { name: 'Start Free Today' })).toBeVisible();
  const start = page.getByRole('button', { name: 'Get Started with Google' });
  await expect(start).toBeVisible();
  await context.setOffline(true);
  await start.click();
  await expect(page.getByRole('alert')).toContainText('We can’t reach the sign-in service');
  await expect(start).toBeEnabled();
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await expectAccessible(page);
});
