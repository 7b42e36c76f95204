import type { Page } from '@playwright/test';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { expect, expectAccessible, offlineTest, position, test, untilStored } from '../browser.ts';

const weather = (page: Page) => page.getByRole('region', { name: 'Weather', exact: true });
/** A place with mild weather in its own cell. */
const somewhere = () => ({ latitude: 30 + Math.random() * 8, longitude: 24.9 });
const ocean = (latitude: number) => ({ latitude: latitude + Math.random() * 0.4, longitude: -123 });
const cachedWeather = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => /^cache-.*-weather$/.test(key)));

offlineTest(
  'shows the weather after permission is given, and its age while offline',
  async ({ owner }) => {
    const { context, page } = await owner({ name: 'Wren', at: somewhere() });
    await page.goto('/home');
    await expect(weather(page)).toContainText('don’t store it with your name');
    await expect(page.getByRole('region', { name: 'Alert center' })).toBeHidden();

    await weather(page).getByRole('button', { name: 'Show the weather here' }).click();
    await expect(weather(page)).toContainText('few clouds');
    await expect(weather(page)).toContainText('°F');
    await expect(weather(page)).toContainText('Good for a walk');
    await expect(weather(page)).toContainText(/Updated (recently|\d+ minutes ago)/);
    await expect(page.getByRole('region', { name: 'Alert center' })).toContainText(
      'No active alerts in your area',
    );
    await expectAccessible(page);

    // A forced refresh calls the server although the reading is fresh. Reopening the page doesn't.
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/weather')) asked.push(request.postDataJSON());
    });
    await weather(page).getByRole('button', { name: 'Refresh the weather' }).click();
    await expect.poll(() => asked).toEqual([expect.objectContaining({ refresh: true })]);
    // A page loaded before the service worker is active has none until a reload.
    await untilStored(page);
    await page.reload();
    await expect(weather(page)).toContainText(/Updated (recently|\d+ minutes ago)/);
    expect(asked).toHaveLength(1);

    await context.setOffline(true);
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) {
        if (!/^cache-.*-weather$/.test(key)) continue;
        const { reading } = JSON.parse(localStorage.getItem(key) ?? '') as { reading: object };
        const at = Date.now() - 3 * 3_600_000;
        const retrieved_at = new Date(at).toISOString();
        localStorage.setItem(key, JSON.stringify({ at, reading: { ...reading, retrieved_at } }));
      }
      const alerts = Object.keys(localStorage).find((key) => /^cache-.*-alerts$/.test(key)) ?? '';
      localStorage.setItem(alerts, JSON.stringify({ at: Date.now() - 2 * 3_600_000, alerts: [] }));
    });
    await page.reload();
    await expect(weather(page)).toContainText('Last updated 3 hours ago');
    await expect(page.getByRole('region', { name: 'Alert center' })).toContainText(
      'No active alerts in your area, as of 2 hours ago',
    );
    await expect(weather(page)).toContainText('few clouds');
    await expectAccessible(page);

    // An unreadable cache is discarded at the next start.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (/^cache-.*-weather$/.test(key)) localStorage.setItem(key, '{"temperature_f":');
    });
    await page.reload();
    await expect(weather(page)).toContainText('No weather yet');
    expect(await cachedWeather(page)).toEqual([]);
    await context.setOffline(false);
    await expect(weather(page)).toContainText('Good for a walk');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/welcome');
    expect(await cachedWeather(page)).toEqual([]);
  },
);

test('shows dangerous weather above everything else', async ({ owner }) => {
  const { context, page } = await owner({ name: 'Wren', sharing: true, at: ocean(-40.2) });
  await page.goto('/home');
  const notice = page.getByRole('region', { name: 'Critical weather' });
  await expect(notice).toContainText('Not safe for walking right now');
  await expect(notice).toContainText('Don’t walk in this weather: thunderstorm with rain.');
  await expect(weather(page).getByRole('list').first().getByRole('listitem')).toHaveText([
    'Don’t walk in this weather: thunderstorm with rain.',
    'Strong wind: keep away from trees, and keep nervous dogs leashed.',
    'Rain is likely: bring a towel and something bright.',
  ]);
  await expectAccessible(page);

  await position(context, ocean(-44.2));
  await weather(page).getByRole('button', { name: 'Refresh the weather' }).click();
  await expect(weather(page)).toContainText('unknown');
  await expect(notice).toBeHidden();
});

test('shows the correct age of weather and keeps alerts on a device whose clock is hours off', async ({
  owner,
  admin,
}) => {
  const at = ocean(-40.2);
  const { page } = await owner({ name: 'Wren', sharing: true, at });
  await admin.call(createAlert, {
    body: {
      alert_type: 'weather',
      severity: 'extreme',
      title: 'Tornado Warning',
      description: 'It is on the ground.',
      affected_latitude: at.latitude,
      affected_longitude: at.longitude,
      radius_miles: 10,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
  });
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 });
  await page.goto('/home');
  await expect(page.getByRole('region', { name: 'Alert center' })).toContainText('Tornado');
  await expect(weather(page)).toContainText(/Updated (recently|\d+ minutes ago)/);
  await expect(page.getByRole('region', { name: 'Critical weather' })).toBeVisible();

  // After the clock is corrected, cached data isn't treated as from the future.
  const answered = page.waitForResponse('**/api/weather');
  await page.clock.setSystemTime(Date.now());
  await page.reload();
  await answered;
  await expect(page.getByRole('region', { name: 'Alert center' })).toContainText('Tornado');
  await expect(weather(page)).toContainText(/Updated (recently|\d+ minutes ago)/);
});

test('shows weather errors without affecting the rest of the dashboard', async ({ owner }) => {
  const { context, page } = await owner({ name: 'Wren', at: ocean(-45.2) });
  await page.goto('/home');
  await weather(page).getByRole('button', { name: 'Show the weather here' }).click();
  await expect(weather(page)).toContainText('Unable to load weather data');
  await expect(weather(page)).toContainText('Weather API error: 429');
  await expect(page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
  await expectAccessible(page);

  await position(context, ocean(-47.2));
  await weather(page).getByRole('button', { name: 'Try again' }).click();
  await expect(weather(page)).toContainText('Failed to fetch weather data');
  await page.route('**/api/weather', (route) => route.fulfill({ status: 418, body: '<html>' }));
  await weather(page).getByRole('button', { name: 'Try again' }).click();
  await expect(weather(page)).toContainText('Weather API error: 418');
  await page.unroute('**/api/weather');

  await position(context, somewhere());
  await weather(page).getByRole('button', { name: 'Try again' }).click();
  await expect(weather(page)).toContainText('Good for a walk');

  await context.clearPermissions();
  await weather(page).getByRole('button', { name: 'Refresh the weather' }).click();
  await expect(weather(page)).toContainText('Unable to access your location');
  await expect(weather(page)).toContainText('few clouds');
});

test('turning weather off in the settings stops using the device’s location', async ({ owner }) => {
  const { page } = await owner({ name: 'Wes', at: somewhere() });
  await page.goto('/home');
  await weather(page).getByRole('button', { name: 'Show the weather here' }).click();
  await expect(weather(page)).toContainText('Good for a walk');
  await page.getByRole('link', { name: 'You', exact: true }).click();
  await page.getByRole('link', { name: /^Settings/ }).click();
  await page.getByRole('link', { name: /^This device/ }).click();
  const device = page.getByRole('region', { name: 'This device' });
  await expect(device).toContainText('alerts for this device’s location');
  await device.getByRole('switch', { name: 'Weather here' }).click();
  await expect(device).toContainText('We don’t use this device’s location');
  await expectAccessible(page);
  await page.goto('/home');
  await expect(weather(page).getByRole('button', { name: 'Show the weather here' })).toBeVisible();
  await expect(weather(page)).not.toContainText('Good for a walk');

  // Users who share their location see the weather while they share it.
  const sharer = await owner({ name: 'Shay', at: somewhere(), sharing: true });
  await sharer.page.goto('/settings#this-device');
  await expect(sharer.page.getByRole('region', { name: 'This device' })).toContainText(
    'only while you share your location',
  );
});
