import type { Page } from '@playwright/test';
import { expect, expectAccessible, position, screenHeading, test } from '../browser.ts';
import { actionsOf, record, spokenBy } from './recording.ts';

// A separate place for each test, since positions stay for two minutes.
const somewhere = () => ({ latitude: 60 + Math.random() * 8, longitude: 24.9 });
const sharing = (page: Page) => page.getByRole('region', { name: 'Location sharing' });
const nearby = (page: Page) => page.getByRole('region', { name: 'Nearby Users' });

test('shows a denied permission and starts tracking once it is granted', async ({ owner }) => {
  const { context, page } = await owner({ name: 'Ana', sharing: true });
  await context.grantPermissions([]);
  await page.goto('/home');
  await expect(sharing(page)).toContainText('Unable to access your location');
  await expect(nearby(page)).toContainText('You’ll see who’s nearby once warnings work again.');
  await expect(sharing(page)).not.toContainText('Location tracking active');
  await expectAccessible(page);

  await position(context, somewhere());
  const again = sharing(page).getByRole('button', { name: 'Try again' });
  // The browser may have notified the page of the new permission before the tap.
  if (await again.isVisible()) await again.click({ timeout: 2000 }).catch(() => {});
  await expect(sharing(page)).toContainText('Location tracking active');
});

test('shows that the browser has no geolocation', async ({ owner }) => {
  const { context, page } = await owner({ name: 'Ana', sharing: true });
  await context.addInitScript(() => {
    delete (Navigator.prototype as { geolocation?: unknown }).geolocation;
  });
  await page.goto('/home');
  await expect(sharing(page)).toContainText('Geolocation is not supported by this browser');
});

test('pauses offline, says so and resumes by itself', async ({ owner }) => {
  const { context, page } = await owner({ name: 'Ana', sharing: true, at: somewhere() });
  await page.goto('/home');
  await expect(sharing(page)).toContainText('Location tracking active');
  await context.setOffline(true);
  await expect(sharing(page)).toContainText('Paused: no connection');
  await expect(nearby(page)).toContainText('No one was nearby before warnings paused.');
  await context.setOffline(false);
  await expect(sharing(page)).toContainText('Location tracking active');
});

test('requests permission for notifications only after a tap on an explained button', async ({
  owner,
}) => {
  const { context, page } = await owner({ name: 'Ana', sharing: true, at: somewhere() });
  await record(context, 'default');
  await page.goto('/home');
  await expect(sharing(page)).toContainText('Location tracking active');
  const hints = page.getByRole('region', { name: 'Don’t miss a warning' });
  await expect(hints).toContainText('Notifications reach you in other apps too.');
  expect(await actionsOf(page)).toEqual([]);
  await hints.getByText('Don’t miss a warning').click();
  await hints.getByRole('button', { name: 'Allow notifications' }).click();
  await expect(page.getByText('Notifications reach you')).toBeHidden();
});

test('Test Alerts opens over the dashboard, closes with Back, and logs a real alert', async ({
  owner,
}) => {
  const { context, page } = await owner({ name: 'Ana' });
  await record(context);
  await page.goto('/home');
  // Wait until no button is disabled before axe runs.
  await expect(page.getByRole('heading', { name: 'Welcome, Ana' })).toBeVisible();
  await page.getByRole('link', { name: 'Test Alerts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test Alerts' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/home');
  await page.getByRole('link', { name: 'Test Alerts' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('link', { name: 'Test Alerts' }).click();
  await dialog.getByRole('button', { name: 'Test alert' }).click();
  const log = dialog.getByRole('log');
  await expect(log).toContainText('Rex needs space, 50 feet away');
  await expect(log).toContainText('Notification: HIGH: Rex needs space');
  await expect(log).toContainText('Vibration: 200, 100, 200, 100, 200, 100, 400 ms');
  await expect(log).toContainText('Spoken.');
  await expect(dialog).toContainText('Leash your dog and give Rex room.');
  expect(await spokenBy(page)).toEqual([
    'Rex needs space. Test walker is 50 feet away. Leash your dog and give Rex room.',
  ]);
  await expectAccessible(page);

  await dialog.getByText('Try another radius or volume').click();
  const radius = dialog.getByRole('spinbutton', { name: 'Alert radius in feet' });
  await radius.fill('40');
  await dialog.getByRole('radio', { name: /Friendly/ }).check();
  await dialog.getByRole('button', { name: 'Test alert' }).click();
  await expect(log).toContainText('Bella is friendly, 50 feet away');
  await expect(log).toContainText('Beyond the alert radius of 40 feet: no alert.');
  await expect(dialog).not.toContainText('Off-leash play');

  await radius.fill('');
  await radius.blur();
  await expect(radius).toHaveValue('100');
  await dialog.getByRole('slider').fill('0.3');
  await dialog.getByRole('button', { name: 'Test alert' }).click();
  await expect(log).toContainText('Spoken.');
  expect((await actionsOf(page)).findLast((action) => action.what === 'speak')).toMatchObject({
    volume: 0.3,
    rate: 1.2,
  });
});

test('says that warnings have stopped when the session ends', async ({ owner }) => {
  const { context, page } = await owner({ name: 'Ana', sharing: true, at: somewhere() });
  await record(context);
  await page.goto('/home');
  await expect(sharing(page)).toContainText('Location tracking active');
  await screenHeading(page).click();
  await context.clearCookies();
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/welcome$/);
  await expect
    .poll(() => spokenBy(page))
    .toEqual(['Warnings have stopped. Open Leashwise to see why.']);
  expect((await actionsOf(page)).map(({ what }) => what)).toContain('notify');
});
