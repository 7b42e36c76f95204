import type { Page } from '@playwright/test';
import { expect, test } from '../browser.ts';

const LOCATIONS = '**/assets/locations-page-*.js';
const PROFILE = '**/assets/profile-modal-*.js';

const onItsWay = (page: Page) => page.getByRole('status').filter({ hasText: 'One moment…' });

test('a screen that is long in coming says so, over the one that was there', async ({ owner }) => {
  const { page } = await owner();
  let give: (() => void) | undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  await page.route(LOCATIONS, async (route) => {
    await given;
    await route.continue();
  });
  await page.goto('/home');
  await page.getByRole('link', { name: 'Walking Locations' }).click();
  await expect(onItsWay(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  give?.();
  await expect(page.getByRole('heading', { name: 'Dog Walking Locations' })).toBeVisible();
  await expect(onItsWay(page)).toHaveCount(0);
});

test('what fails to come is asked for again, a dialog too', async ({ owner }) => {
  const { page } = await owner();
  const failed = new Set<string>();
  for (const files of [LOCATIONS, PROFILE])
    await page.route(files, async (route) => {
      if (failed.has(files)) return route.continue();
      failed.add(files);
      return route.abort('internetdisconnected');
    });
  await page.goto('/home');
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(onItsWay(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Walking Locations' }).click();
  await expect(page.getByRole('heading', { name: 'Dog Walking Locations' })).toBeVisible();
  expect(failed.size).toBe(2);
});

test('a screen that does not come says so, and leaves the way to the others', async ({ owner }) => {
  const { page } = await owner();
  await page.route(LOCATIONS, (route) => route.abort('internetdisconnected'));
  await page.goto('/home');
  await page.getByRole('link', { name: 'Walking Locations' }).click();
  await expect(page.getByText('This part of the app stopped working')).toBeVisible();
  await expect(onItsWay(page)).toHaveCount(0);
  await page.locator('nav [href="/home"]').click();
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
});
