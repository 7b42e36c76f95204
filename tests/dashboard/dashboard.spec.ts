import { expect, expectAccessible, freshEmail, test } from '../browser.ts';
import { delaySecondaryRequests, misfits } from '../http/screen-fit.ts';
import { CLS_BUDGET, takeShiftScore, watchShifts } from './layout-shifts.ts';

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

test('an address that opens nothing leaves the screen as it is', async ({ owner }) => {
  const { page } = await owner({ name: 'Robin' });
  for (const name of ['constructor', '__proto__', 'nothing']) {
    await page.goto(`/home?open=${name}`);
    await expect(page.getByRole('heading', { name: 'Welcome, Robin' })).toBeVisible();
  }
  await page.goto('/homes');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Walk', exact: true })).toBeVisible();
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

const PHONE = { viewport: { width: 360, height: 740 } };

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
  await tabTo(/I have a code/);
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
