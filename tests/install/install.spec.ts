import type { Page } from '@playwright/test';
import { freePort } from '../../scripts/stack/ports.ts';
import {
  expect,
  expectAccessible,
  offlineTest,
  screenHeading,
  test,
  untilStored,
} from '../browser.ts';
import { untilSaved } from '../my-dogs.ts';
import { startUpdatableGateway } from './updatable-gateway.ts';

/** Fires the event with which a browser offers installation, which it does unpredictably. */
const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const prompt = async () => {
      Object.assign(window, { asked: true });
      return { outcome: 'accepted' };
    };
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }));
  });

test('the app is installable with a manifest, a start URL, and existing icons', async ({
  page,
  request,
}) => {
  await page.goto('/');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = (await (await request.get(href ?? '')).json()) as {
    name: string;
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
  };
  expect(manifest).toMatchObject({ name: 'Leashwise', start_url: '/home', display: 'standalone' });
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  for (const { src, type } of manifest.icons) {
    const icon = await request.get(src);
    expect(icon.status()).toBe(200);
    expect(icon.headers()['content-type']).toContain(type);
  }
});

test('the install prompt appears three seconds after the event and asks the browser', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/welcome');
  await expect(screenHeading(page)).toBeVisible();
  const prompt = page.getByRole('complementary', { name: 'Install' });
  // Otherwise the clock also advances in real time.
  await page.clock.pauseAt(Date.now() + 60_000);
  await offerInstall(page);
  await page.clock.runFor(2_900);
  await expect(prompt).toBeHidden();
  await page.clock.runFor(200);
  await page.clock.resume();
  await expect(prompt).toBeVisible();
  await expectAccessible(page);
  await prompt.getByRole('button', { name: 'Install' }).click();
  await expect(prompt).toBeHidden();
  expect(await page.evaluate(() => 'asked' in window)).toBe(true);
});

test('the install prompt does not return after dismissal or in the installed app', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.clock.install();
  await page.goto('/welcome');
  const prompt = page.getByRole('complementary', { name: 'Install' });
  await offerInstall(page);
  await page.clock.runFor(3_100);
  await prompt.getByRole('button', { name: 'Not now' }).click();
  await expect(prompt).toBeHidden();
  await page.reload();
  await offerInstall(page);
  await page.clock.runFor(10_000);
  await expect(prompt).toBeHidden();

  const installed = await browser.newPage({ baseURL });
  await installed.clock.install();
  await installed.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      query.includes('standalone') ? matchMedia('all') : matchMedia(query);
  });
  await installed.goto('/welcome');
  await offerInstall(installed);
  await installed.clock.runFor(10_000);
  await expect(installed.getByRole('complementary', { name: 'Install' })).toBeHidden();
  await installed.close();
});

test('the dashboard explains manual installation where browsers offer none', async ({ owner }) => {
  const { page } = await owner();
  await page.clock.install();
  await page.goto('/home?platform=ios');
  await expect(page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
  const prompt = page.getByRole('complementary', { name: 'Install' });
  await page.clock.runFor(3_100);
  await expect(prompt.getByRole('listitem')).toHaveText([
    'Tap Share in your browser.',
    'Then tap Add to Home Screen.',
    'Open Leashwise from your home screen.',
  ]);
  await expect(prompt.getByRole('button', { name: 'Install' })).toBeHidden();
  await expectAccessible(page);
  await prompt.getByRole('button', { name: 'Got it' }).click();
  await expect(prompt).toBeHidden();
  await page.reload();
  await expect(page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
  await page.clock.runFor(10_000);
  await expect(prompt).toBeHidden();
});

test('on an iPhone, a walk and the settings show how notifications get to work', async ({
  owner,
}) => {
  const { page, context } = await owner({ sharing: true, at: { latitude: 12.5, longitude: 99.5 } });
  // Safari has them in installed apps only.
  await context.addInitScript(() => {
    for (const name of ['Notification', 'PushManager']) Reflect.deleteProperty(globalThis, name);
  });
  await page.goto('/home?platform=ios');
  const card = page.getByRole('region', { name: 'Don’t miss a warning' });
  await expect(card).toContainText('notifications need Leashwise on your home screen');
  await expect(card).toContainText('Then tap Add to Home Screen.');
  await expectAccessible(page);
  await page.goto('/settings?platform=ios#notifications');
  const settings = page.getByRole('region', { name: 'Notifications', exact: true });
  await expect(settings).toContainText('must be on your home screen first.');
  await expect(settings).toContainText('Then tap Add to Home Screen.');
  await expectAccessible(page);
});

offlineTest('a new version waits until the user reloads', async ({ owner }) => {
  const gateway = await startUpdatableGateway({
    port: await freePort(),
    apiPort: Number(process.env['TEST_API_PORT']),
    syncPort: Number(process.env['TEST_SYNC_PORT']),
  });
  try {
    const { page } = await owner();
    await page.goto(`${gateway.origin}/home`);
    await untilSaved(page);
    await untilStored(page);
    await page.evaluate(() => Object.assign(window, { isOldPage: true }));

    await gateway.update();
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const prompt = page.getByRole('complementary', { name: 'Update' });
    await expect(prompt).toContainText('A new version is ready.');
    await expectAccessible(page);
    expect(await page.evaluate(() => 'isOldPage' in window)).toBe(true);
    await prompt.getByRole('button', { name: 'Reload' }).click();
    await page.waitForFunction(() => !('isOldPage' in window));
    await untilSaved(page);
    await expect(prompt).toBeHidden();
  } finally {
    await gateway.close();
  }
});

offlineTest(
  'the stored dashboard loads its chunks and font with its page, and renders only once on a slow phone',
  async ({ owner }) => {
    const { page } = await owner();
    await page.goto('/home');
    await untilStored(page);
    const namedBy = async (path: string) => {
      const links = (await page.goto(path))?.headers()['link'] ?? '';
      return [...links.matchAll(/<\/assets\/([\w-]+)-[\w-]{8}\.\w+>/g)].map(([, name]) => name!);
    };
    const named = await namedBy('/home');
    expect(named.toSorted()).toEqual([
      'common',
      'contracts',
      'dashboard',
      'figtree-latin-wght-normal',
      'frame',
      'packages',
      'public',
    ]);
    await expect(page.getByRole('button', { name: 'Start walk' })).toBeEnabled();
    expect(await namedBy('/welcome')).toEqual([]);

    await page.goto('/home');
    const dog = page.getByRole('region', { name: 'My Dogs' }).getByText('Bella', { exact: true });
    await expect(dog).toBeVisible();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    // Requests for the user would repeat if React had to render the first screen twice.
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (['/api/start', '/api/users/me'].includes(pathname)) asked.push(pathname);
    });
    await page.reload();
    await expect(dog).toBeVisible();
    await expect(page.getByText('Saved', { exact: true }).first()).toBeAttached();
    // The first answers for the second, unless that takes too long.
    expect(asked).toContain('/api/start');
    expect(new Set(asked).size).toBe(asked.length);
  },
);
