import type { Page } from '@playwright/test';
import { expect, test } from '../browser.ts';

const LOCATIONS = '**/assets/locations-page-*.js';
const PROFILE = '**/assets/profile-modal-*.js';
const COMMUNITY = '**/assets/community-page-*.js';

const onItsWay = (page: Page) => page.getByRole('status').filter({ hasText: 'One moment…' });

test('what is long in coming says so, over what was there, is asked for again when it fails, and leaves the way to the others when it does not come', async ({
  owner,
}) => {
  const { page } = await owner();
  const failed = new Set<string>();
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  for (const files of [LOCATIONS, PROFILE])
    await page.route(files, async (route) => {
      if (failed.has(files)) {
        if (files === LOCATIONS) await given;
        return route.continue();
      }
      failed.add(files);
      return route.abort('internetdisconnected');
    });
  await page.route(COMMUNITY, (route) => route.abort('internetdisconnected'));

  await page.goto('/home');
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(onItsWay(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Walking Locations' }).click();
  await expect(onItsWay(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  give();
  await expect(page.getByRole('heading', { name: 'Dog Walking Locations' })).toBeVisible();
  await expect(onItsWay(page)).toHaveCount(0);
  expect(failed.size).toBe(2);

  const home = page.locator('nav [href="/home"]');
  await home.click();
  await page.getByRole('link', { name: 'Community Charities' }).click();
  await expect(page.getByText('This part of the app stopped working')).toBeVisible();
  await expect(onItsWay(page)).toHaveCount(0);
  await home.click();
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
});
