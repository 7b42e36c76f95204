import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  freshEmail,
  offlineTest,
  screenHeading,
  test,
  untilStored,
} from '../browser.ts';
import { takeShiftScore, watchShifts } from './layout-shifts.ts';

test('the dashboard shows the owner’s dogs and the available actions', async ({ owner }) => {
  const { page } = await owner({
    name: 'Robin',
    dogs: [
      { name: 'Rex', sound_type: 'leash_on' },
      { name: 'Luna', sound_type: 'leash_off' },
    ],
  });
  await page.goto('/home');
  await expect(page).toHaveTitle('Dashboard · Leashwise');
  await expect(page.getByRole('heading', { name: 'Welcome, Robin' })).toBeVisible();
  const brand = page.getByRole('banner').getByRole('link', { name: 'Leashwise' });
  await expect(brand).toHaveAttribute('href', '/home');
  await expect(page.getByRole('link', { name: 'My Profile' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  const dogs = page.getByRole('region', { name: 'My Dogs' }).getByRole('listitem');
  await expect(dogs).toHaveCount(2);
  await expect(dogs.nth(0)).toContainText('Rex');
  await expect(dogs.nth(0)).toContainText('Needs space');
  await expect(dogs.nth(1)).toContainText('Friendly');
  await expect(page.getByRole('region', { name: 'Nearby Users' })).toBeVisible();
  const actions = page.getByRole('region', { name: 'Quick Actions' });
  await expect(actions.locator('a, button')).toHaveText([
    'Add Dog',
    'Edit Profile',
    'Walking Locations',
    'Community Charities',
    'Social & Chat',
    'Enable Location',
    'Refer Friends',
    'Test Alerts',
  ]);
  const places = await actions
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(places).toEqual([
    '/home?open=add-dog',
    '/onboarding',
    '/locations',
    '/community',
    '/social',
    '/home?open=refer-friends',
    '/home?open=test-alerts',
  ]);
  await expectAccessible(page);
});

test('the quick action turns location sharing on and off', async ({ owner }) => {
  const { page } = await owner({ at: { latitude: 1.5, longitude: 33.5 } });
  await page.goto('/home');
  await page.getByRole('button', { name: 'Enable Location' }).click();
  await expect(page.getByRole('button', { name: 'End walk' })).toBeVisible();
  await expect(page.getByText('Location tracking active')).toBeVisible();
  await page.getByRole('button', { name: 'Disable Location' }).click();
  await expect(page.getByRole('button', { name: 'Start walk' })).toBeVisible();
});

test('the dashboard says when data has not loaded yet, and loads it after a reload', async ({
  owner,
  device,
}) => {
  const { page } = await device(await owner({ name: 'Jules' }));
  let isBlocked = true;
  await page.routeWebSocket('**/sync', (socket) => {
    if (isBlocked) void socket.close();
    else socket.connectToServer();
  });
  await page.goto('/home');
  await expect(page.getByText('Your data hasn’t loaded on this device yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expectAccessible(page);
  isBlocked = false;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome, Jules' })).toBeVisible();
});

offlineTest('a slow phone renders the dashboard only once', async ({ owner }) => {
  const { page } = await owner({ name: 'Robin', dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
  await page.goto('/home');
  const dog = page.getByRole('region', { name: 'My Dogs' }).getByText('Rex', { exact: true });
  await expect(dog).toBeVisible();
  await untilStored(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  // The request for the user would repeat if React had to render the first screen twice.
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (new URL(url).pathname === '/api/users/me') asked.push(url);
  });
  await page.reload();
  await expect(dog).toBeVisible();
  await expect(page.getByText('Saved', { exact: true }).first()).toBeAttached();
  expect(asked).toHaveLength(1);
});

/** Returns the targets that are too small to touch on a phone, and by how many pixels the screen is too wide. */
async function misfits(
  page: Page,
): Promise<{ targets: number; small: string[]; overflow: number }> {
  const targets = page.locator('a:visible, button:visible, input:visible');
  const small = await targets.evaluateAll((elements) =>
    elements
      .filter((element) => !element.matches('[href="#main"]'))
      .map((element) => ({ box: element.getBoundingClientRect(), name: element.textContent }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ box, name }) => `${name}: ${box.width} x ${box.height}`),
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return { targets: await targets.count(), small, overflow };
}

const PHONE = { viewport: { width: 360, height: 740 } };
const CLS_BUDGET = 0.05;

/** Delays secondary requests of a screen until the returned function is called. */
async function delaySecondaryRequests(page: Page): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((go) => {
    release = go;
  });
  const late =
    /\/api\/(weather|emergency-alerts|paid-advertisements|advertisements|health|users\/[^/]+\/friendly-index)\b/;
  await page.route(late, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

test('the dashboard fits a phone, has touchable targets, and does not shift when secondary data loads late', async ({
  owner,
}) => {
  const at = { latitude: 30 + Math.random() * 8, longitude: 24.9 };
  const name = 'Bartholomew Featherstonehaugh-Cholmondeley';
  const { page } = await owner({ name, at, context: PHONE });
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: /^Welcome, Bart/ })).toBeVisible();
  const { targets, ...rest } = await misfits(page);
  expect(targets).toBeGreaterThan(8);
  expect(rest).toEqual({ small: [], overflow: 0 });

  const weather = page.getByRole('region', { name: 'Weather', exact: true });
  await weather.getByRole('button', { name: 'Show the weather here' }).click();
  await expect(weather).toContainText('Updated');
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (/weather$|sandbox_providers$/.test(key)) localStorage.removeItem(key);
  });
  const release = await delaySecondaryRequests(page);
  await watchShifts(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Welcome, Bart/ })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading weather…' })).toBeVisible();
  release();
  await expect(weather).toContainText('Updated');
  await expect(page.getByText(/services are simulated/)).toBeVisible();
  await expect(
    page.getByRole('link', { name: /Advertise With Us|Sponsored/ }).first(),
  ).toBeVisible();
  expect(await takeShiftScore(page)).toBeLessThan(CLS_BUDGET);
});

test('visitor screens fit a phone, have touchable targets, and the landing page does not shift', async ({
  browser,
  origin,
}) => {
  const context = await browser.newContext({ baseURL: origin, ...PHONE });
  const page = await context.newPage();
  const release = await delaySecondaryRequests(page);
  await watchShifts(page);
  for (const path of ['/', '/welcome', '/access-code', '/advertiser-signup', '/no/such/page']) {
    await page.goto(path);
    const heading = screenHeading(page);
    await expect(heading).toBeVisible();
    if (path === '/') {
      release();
      await expect(page.getByText(/services are simulated/)).toBeVisible();
      expect(await takeShiftScore(page)).toBeLessThan(CLS_BUDGET);
    }
    if (path === '/no/such/page') await expect(heading).toHaveText('Page not found');
    const { targets, ...rest } = await misfits(page);
    expect(targets, path).toBeGreaterThan(1);
    expect(rest, path).toEqual({ small: [], overflow: 0 });
  }
  await expectAccessible(page);
  await context.close();
});

test('a keyboard alone leads from the gate to the dashboard', async ({ page, makeCode }) => {
  const code = await makeCode();
  const { keyboard } = page;
  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name: RegExp) => {
    for (let stops = 0; stops < 30; stops += 1) {
      await keyboard.press('Tab');
      const focused = page.locator(':focus');
      const found = await focused.evaluate((element) => {
        const { labels } = element as HTMLInputElement;
        const label = [...(labels ?? [])].map((one) => one.textContent).join(' ');
        return `${element.getAttribute('aria-label') ?? ''} ${label} ${element.textContent}`;
      });
      if (name.test(found)) return;
    }
    throw new Error(`The keyboard does not reach ${name}`);
  };

  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get Access Code' })).toBeVisible();
  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await keyboard.press('Enter');
  await tabTo(/Get Access Code/);
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/access-code');
  await tabTo(/Access code/);
  await keyboard.type(code);
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/welcome');
  await tabTo(/Get Started with Google/);
  await keyboard.press('Enter');
  // The account picker of the mock provider.
  await expect(page).toHaveTitle(/Choose an account/);
  await tabTo(/another email/);
  await keyboard.type(freshEmail('keyboard'));
  await keyboard.press('Enter');

  await expect(page).toHaveURL('/onboarding');
  await tabTo(/Display name/);
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('Kit');
  await keyboard.press('Enter');
  await tabTo(/Dog name/);
  await keyboard.type('Pip');
  await tabTo(/Needs space/);
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Friendly' })).toBeChecked();
  await tabTo(/Continue/);
  await keyboard.press('Enter');
  await tabTo(/Complete Setup/);
  await keyboard.press('Enter');

  await expect(page).toHaveURL('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Kit' })).toBeFocused();
});
