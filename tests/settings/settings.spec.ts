import type { Page } from '@playwright/test';
import type { Place } from '#shared/place.ts';
import { expect, expectAccessible, offlineTest, position, test, untilStored } from '../browser.ts';
import { waitForTapGuard } from '../http/tap-helpers.ts';
import { syncChip, untilSaved } from '../my-dogs.ts';
import { actionsOf, record } from '../proximity/recording.ts';

const METERS_PER_DEGREE = 111_320;
const here: Place = { latitude: -40 + Math.random() * 20, longitude: 120 };
const north = (meters: number): Place => ({
  ...here,
  latitude: here.latitude + meters / METERS_PER_DEGREE,
});
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Opens a section from the list, which a wide window shows beside it. */
const choose = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: new RegExp(`^${name} `) })
    .click();
const rex = { name: 'Rex', sound_type: 'leash_on' } as const;

test('changes settings offline, syncs them to another device and applies them to alerts', async ({
  owner,
  device,
}) => {
  const phone = await owner({ context: { viewport: { width: 360, height: 740 } } });
  const { page } = phone;
  await record(phone.context, 'default');
  await page.goto('/home');
  await page.getByRole('link', { name: 'You', exact: true }).click();
  await page.getByRole('link', { name: /^Settings/ }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeFocused();
  // On a phone, each section has a page.
  await page.getByRole('link', { name: /^Alerts / }).click();
  const alerts = section(page, 'Alerts');
  const radius = alerts.getByLabel('Alert radius in feet');
  await expect(radius).toHaveValue('100');
  await expect(alerts.getByRole('slider', { name: 'Volume' })).toHaveValue('0.8');
  await untilSaved(page);
  await expectAccessible(page);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await wide()).toBeLessThanOrEqual(360);

  await phone.context.setOffline(true);
  await radius.fill('9');
  await radius.press('Enter');
  await expect(radius).toHaveValue('9');
  await expect(radius).toHaveAccessibleDescription(/Enter 10 to 500\./);
  await radius.fill('40');
  await radius.blur();
  await alerts.getByRole('slider', { name: 'Volume' }).press('ArrowLeft');
  await alerts.getByRole('slider', { name: 'Volume' }).press('ArrowLeft');
  await alerts.getByRole('switch', { name: 'Speech' }).press('Space');
  await expect(alerts.getByRole('switch', { name: 'Speech' })).not.toBeChecked();
  await expect(syncChip(page)).toContainText('to send');
  await phone.context.setOffline(false);
  await untilSaved(page);

  const tablet = await device(phone);
  await tablet.page.goto('/settings');
  const there = section(tablet.page, 'Alerts');
  await expect(there.getByLabel('Alert radius in feet')).toHaveValue('40');
  await expect(there.getByRole('slider', { name: 'Volume' })).toHaveValue('0.6');
  await expect(there.getByRole('switch', { name: 'Speech' })).not.toBeChecked();
  await expect(there.getByRole('switch', { name: 'Vibration' })).toBeChecked();

  // The test dog is 50 feet away.
  await alerts.getByRole('link', { name: 'Test Alerts' }).click();
  const tester = page.getByRole('dialog', { name: 'Test Alerts' });
  const log = tester.getByRole('log');
  await tester.getByRole('button', { name: 'Test alert' }).click();
  await expect(log).toContainText('Beyond the alert radius of 40 feet: no alert.');
  await tester.getByText('Try another radius or volume').click();
  await tester.getByLabel('Alert radius in feet').fill('60');
  await tester.getByRole('button', { name: 'Test alert' }).click();
  await expect(log).toContainText('Played: beep and deep bark');
  await expect(log).toContainText('Not spoken: speech is off in your settings.');
  expect((await actionsOf(page)).filter(({ what }) => what === 'speak')).toEqual([]);

  // Units take effect at once, here and on the other device.
  await choose(tablet.page, 'Units');
  await section(tablet.page, 'Units').getByRole('combobox').selectOption('metric');
  await choose(tablet.page, 'Alerts');
  await expect(there.getByLabel('Alert radius in meters')).toHaveValue('12');
  await expect(tester.getByLabel('Alert radius in meters')).toHaveValue('18');
  await tester.getByRole('button', { name: 'Test alert' }).click();
  await expect(log).toContainText('Rex needs space, 15 meters away');
});

test('shows the permissions and storage of the device', async ({ owner }) => {
  const { page, context } = await owner();
  await record(context, 'default');
  await page.goto('/settings#this-device');
  const device = section(page, 'This device');
  await expect(device).toContainText(/MB on this device/);
  await expect(page.getByRole('link', { name: 'Admin' })).toBeHidden();
  await choose(page, 'Notifications');
  const notifications = section(page, 'Notifications');
  await expect(notifications).toContainText('Not allowed yet. Your browser will ask.');
  await notifications.getByRole('button', { name: 'Allow notifications' }).click();
  await expect(notifications).toContainText('Allowed.');
});

test('a link leads to a section that isn’t loaded yet, and back to the others', async ({
  owner,
}) => {
  const { page } = await owner({ context: { viewport: { width: 360, height: 740 } } });
  // On this new device, the settings arrive after the screen.
  await page.goto('/settings#units');
  await expect(section(page, 'Units').getByRole('combobox')).toBeInViewport();
  // The page has its own name, below the way back.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Units');
  await page.getByRole('link', { name: 'All settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeFocused();
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await expectAccessible(page);
  await sections.getByRole('link', { name: /^Your data/ }).click();
  await expect(page.getByRole('link', { name: 'Delete my account' })).toBeInViewport();
  await page.goBack();
  await sections.getByRole('link', { name: /^Quiet places/ }).click();
  await expect(page.getByRole('link', { name: 'Add a quiet place' })).toBeInViewport();
  await page.setViewportSize({ width: 1_280, height: 800 });
  // A wide window has the list beside it.
  await expect(section(page, 'Quiet places')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await choose(page, 'Units');
  await expect(section(page, 'Units')).toBeVisible();
  await expect(section(page, 'Quiet places')).toBeHidden();
  await expectAccessible(page);
});

test('in a quiet place, reports no position and shows no other users', async ({ owner }) => {
  test.slow();
  const ana = await owner({ name: 'Ana', sharing: true, at: here });
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: north(20) });
  const nearby = (page: Page) => section(page, 'Nearby Users');
  const sharing = (page: Page) => section(page, 'Location sharing');
  for (const { page } of [ana, sam]) {
    await page.goto('/home');
    await expect(sharing(page)).toContainText('Location tracking active');
  }
  await expect(nearby(sam.page)).toContainText('Ana', { timeout: 30_000 });

  // An alert about Sam's Rex may appear meanwhile, over everything else.
  // Not by role: elements outside an open dialog have none.
  const gotIt = ana.page.locator('button', { hasText: 'Got it' });
  await ana.page.addLocatorHandler(gotIt, async () => {
    await waitForTapGuard(ana.page);
    await gotIt.click();
  });
  await ana.page.goto('/settings#quiet-places');
  const quiet = section(ana.page, 'Quiet places');
  const form = ana.page.getByRole('dialog', { name: 'Add a quiet place' });
  await quiet.getByRole('link', { name: 'Add a quiet place' }).click();
  await expect(form.getByLabel('Name')).toHaveValue('Home');
  await form.getByRole('radio', { name: /500 feet/ }).check();
  await expectAccessible(ana.page);
  const dropped = ana.page.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().includes('/api/location'),
  );
  await form.getByRole('button', { name: 'Add quiet place here' }).click();
  await expect(form).toBeHidden();
  await expect(quiet.getByRole('listitem')).toContainText(['Home500 feet around']);
  await dropped;

  // From the start of the app, before the first report.
  let reports = 0;
  ana.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/location')) reports += 1;
  });
  await ana.page.goto('/home');
  await expect(sharing(ana.page)).toContainText('Quiet place');
  await expect(nearby(ana.page)).toContainText('In a quiet place, you don’t see others either.');
  await expect(nearby(sam.page)).toContainText('No one within 100 feet', { timeout: 45_000 });
  expect(reports).toBe(0);

  await position(ana.context, north(500));
  await expect(sharing(ana.page)).toContainText('Location tracking active', { timeout: 30_000 });
  expect(reports).toBeGreaterThan(0);

  await ana.page.goto('/settings#quiet-places');
  const edit = ana.page.getByRole('dialog', { name: 'Edit Home' });
  await quiet.getByRole('button', { name: 'Edit Home' }).click();
  await edit.getByLabel('Name').fill('My garden');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(quiet.getByRole('listitem')).toContainText(['My garden']);
  await quiet.getByRole('button', { name: 'Remove My garden' }).click();
  await quiet.page().getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(quiet.getByRole('listitem')).toHaveCount(0);
});

test('creates a quiet place only with an accurate position and never shrinks it', async ({
  owner,
}) => {
  const { page, context } = await owner({ at: { ...here, longitude: 122 } });
  await context.setGeolocation({ ...here, longitude: 122, accuracy: 400 });
  await page.goto('/settings?open=quiet-place');
  const form = page.getByRole('dialog', { name: 'Add a quiet place' });
  await form.getByRole('button', { name: 'Add quiet place here' }).click();
  await expect(form.getByRole('alert').filter({ hasText: 'Your location' })).toHaveText(
    'Your location is only accurate to about 1,350 feet. Choose a larger size, or try again outdoors, with precise location allowed.',
  );
  await form.getByRole('radio', { name: 'Extra large: half a mile around' }).check();
  await form.getByRole('button', { name: 'Add quiet place here' }).click();
  await expect(form).toBeHidden();
  await section(page, 'Quiet places').getByRole('button', { name: 'Edit Home' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Home' });
  // A smaller circle around the same center might not contain the home.
  await expect(edit.getByRole('radio')).toHaveCount(1);
  await expect(edit).toContainText('For a smaller size, remove this place');
});

test('a wider alert radius includes people farther away', async ({ owner }) => {
  const where = { latitude: here.latitude, longitude: 121 };
  const ana = await owner({ name: 'Ana', sharing: true, at: where });
  const sam = await owner({
    name: 'Sam',
    dogs: [rex],
    sharing: true,
    // Beyond the 30 m within which both are notified, and within 152 m even of a coarse location that is off by up to 90 m.
    at: { ...where, latitude: where.latitude + 40 / METERS_PER_DEGREE },
  });
  await ana.page.goto('/settings');
  const radius = section(ana.page, 'Alerts').getByLabel('Alert radius in feet');
  await radius.fill('500');
  await radius.press('Enter');
  await ana.page.goto('/home');
  await expect(section(ana.page, 'Location sharing')).toContainText('comes within 500 feet');
  await expect(section(ana.page, 'Nearby Users')).toContainText('No one within 500 feet');
  await sam.page.goto('/home');
  await expect(ana.page.getByRole('region', { name: 'Dog nearby' })).toContainText(
    'Rex needs space',
  );
  // Both are shown to each other, although Sam's own radius is 100 feet (decision 357).
  await expect(section(sam.page, 'Nearby Users')).toContainText('Ana');
});

offlineTest(
  'starts with the chosen theme, without showing another one first',
  async ({ owner }) => {
    const { page } = await owner();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.addInitScript(() =>
      document.addEventListener('readystatechange', () => {
        // Before any script of the app.
        if (document.readyState === 'interactive')
          Object.assign(window, { themeAtStart: document.documentElement.dataset['theme'] });
      }),
    );
    await page.goto('/settings#appearance');
    await untilStored(page);
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--ground'));
    const light = await ground();
    const theme = page.getByRole('combobox', { name: 'Theme' });
    await theme.selectOption('Dark');
    await expect.poll(ground).not.toBe(light);
    await expectAccessible(page);
    // The check leaves the page in another color scheme.
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    expect(await page.evaluate(() => Reflect.get(window, 'themeAtStart'))).toBe('dark');
    await expect(theme).toHaveValue('dark');
    expect(await ground()).not.toBe(light);
    await theme.selectOption('System');
    await expect.poll(ground).toBe(light);
    await page.reload();
    await expect(theme).toHaveValue('system');
    expect(await ground()).toBe(light);
  },
);

test('no section of the settings comes above others after they are shown', async ({ owner }) => {
  const { page } = await owner({ context: { viewport: { width: 1_280, height: 800 } } });
  await page.addInitScript(() => {
    const seen: number[] = [];
    const look = () => {
      const button = [...document.querySelectorAll('button')].find(
        ({ textContent }) => textContent === 'Logout',
      );
      if (button) seen.push(Math.round(button.getBoundingClientRect().top + scrollY));
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { placesOfLogout: seen });
  });
  await page.goto('/settings#account');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await untilSaved(page);
  await expect(page.getByText('Loading')).toHaveCount(0);
  const places = await page.evaluate(
    () => (window as unknown as { placesOfLogout: number[] }).placesOfLogout,
  );
  expect(places.length).toBeGreaterThan(0);
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(60);
});
