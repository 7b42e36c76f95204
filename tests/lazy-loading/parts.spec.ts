import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../browser.ts';
import { untilSaved } from '../my-dogs.ts';

const LOCATIONS = '**/assets/locations-page-*.js';
const PROFILE = '**/assets/profile-modal-*.js';
const DOGS = '**/assets/dogs-page-*.js';
const COMMUNITY = '**/assets/community-page-*.js';

const loadingStatus = (page: Page) => page.getByRole('status').filter({ hasText: 'Loading…' });

test('a slow chunk shows a loading status, a failed one is requested again, and one that never loads leaves the other pages usable', async ({
  owner,
}) => {
  const { page } = await owner();
  const failed = new Set<string>();
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  for (const files of [LOCATIONS, PROFILE])
    await page.route(files, async (route) => {
      if (failed.has(files)) {
        if (files === LOCATIONS) await isReleased;
        return route.continue();
      }
      failed.add(files);
      return route.abort('internetdisconnected');
    });
  await page.route(COMMUNITY, (route) => route.abort('internetdisconnected'));
  let releaseDogs = () => {};
  const areDogsReleased = new Promise<void>((resolve) => (releaseDogs = resolve));
  await page.route(DOGS, async (route) => {
    await areDogsReleased;
    return route.continue();
  });

  await page.goto('/dogs');
  await expect(page.getByRole('main').getByRole('heading', { name: 'Loading…' })).toBeVisible();
  await expectAccessible(page);
  releaseDogs();
  await expect(page.getByRole('heading', { name: 'Dogs' }).first()).toBeVisible();

  await page.goto('/home');
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(loadingStatus(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Walking Locations' }).click();
  await expect(loadingStatus(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'Dog Walking Locations' })).toBeVisible();
  await expect(loadingStatus(page)).toHaveCount(0);
  expect(failed.size).toBe(2);

  const home = page.locator('nav [href="/home"]');
  await home.click();
  await page.getByRole('link', { name: 'Community Charities' }).click();
  await expect(page.getByRole('heading', { name: 'This part of the app didn’t load' })).toHaveCount(
    1,
  );
  await expect(loadingStatus(page)).toHaveCount(0);
  await expectAccessible(page);
  await page.unroute(COMMUNITY);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Community' }).first()).toBeVisible();
  await home.click();
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
});

test('a part that a newer version has replaced reloads the page once, and then says so', async ({
  owner,
}) => {
  const { page } = await owner();
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  await page.route(COMMUNITY, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  // The server has another version, but this browser gets the old one again.
  await page.route('/', (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ body: '<script type="module" src="/assets/newer.js"></script>' })
      : route.continue(),
  );
  let reloads = 0;
  page.on('framenavigated', () => (reloads += 1));
  await page.getByRole('link', { name: 'Community Charities' }).click();
  await expect(page.getByText('there may be a newer version')).toBeVisible();
  // The change of the address, and the reload.
  expect(reloads).toBe(2);
});

test('parts that no one has opened may be missing, and are loaded later', async ({ owner }) => {
  const { page } = await owner();
  await page.clock.install();
  const parts = ['hazard-notices', 'planned-walk-notices', 'day-dialog', 'install-offer'];
  const refused = new Set<string>();
  const loaded = new Set<string>();
  let isDown = true;
  const partOf = (url: string) => parts.find((part) => url.includes(`/${part}-`));
  await page.route('**/assets/*.js', (route) => {
    const part = partOf(route.request().url());
    if (!part || !isDown) return route.continue();
    refused.add(part);
    return route.abort('internetdisconnected');
  });
  page.on('requestfinished', (request) => {
    const part = partOf(request.url());
    if (part) loaded.add(part);
  });
  await page.goto('/home?platform=ios');
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  await page.clock.runFor(4_000);
  await expect.poll(() => [...refused].toSorted()).toEqual(parts.toSorted());
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  isDown = false;
  await expect
    .poll(async () => {
      await page.clock.runFor(60_000);
      return [...loaded].toSorted();
    })
    .toEqual(parts.toSorted());
  await expect(page.getByRole('complementary', { name: 'Install' })).toBeVisible();
});

test('documents open although Automerge can’t be compiled in a worker', async ({ owner }) => {
  const { page } = await owner();
  const refused: string[] = [];
  await page.route('**/assets/compile-wasm-worker-*.js', (route) => {
    refused.push(route.request().url());
    return route.abort('internetdisconnected');
  });
  await page.goto('/home');
  await untilSaved(page);
  expect(refused.length).toBeGreaterThan(0);
});
