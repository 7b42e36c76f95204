import { getUserProfile } from '#shared/profile/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { expect, expectAccessible, test } from '../browser.ts';

test('a user opens their own profile from the dashboard by keyboard and closes it with Back', async ({
  owner,
}) => {
  const { page } = await owner({
    name: 'Robin',
    dogs: [{ name: 'Bella', sound_type: 'leash_off' }],
  });
  await page.goto('/home');
  const link = page.getByRole('link', { name: 'My Profile' });
  await link.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'My Profile' });
  await expect(dialog.getByRole('heading', { name: 'Robin' })).toBeVisible();
  await expect(dialog).toContainText('Member since');
  await expect(dialog).toContainText('Doesn’t share location');
  await expect(dialog).toContainText('Bella');
  await expect(dialog).toContainText('0 friends');
  await expectAccessible(page);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Welcome, Robin' })).toBeVisible();
});

test('a profile shows its loading error, loads on retry and stays visible offline', async ({
  owner,
}) => {
  const { page, context } = await owner();
  const sam = await owner({ name: 'Sam', dogs: [] });
  const path = pathOf(getUserProfile, { id: sam.user.id });
  let release: (() => void) | undefined;
  await page.route(`**${path}`, async (route) => {
    await new Promise<void>((resolve) => (release = resolve));
    await route.fulfill({ status: 400, json: null });
  });
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  await page.evaluate((user) => {
    history.pushState({}, '', `/home?open=profile&user=${user}`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, sam.user.id);
  const dialog = page.getByRole('dialog', { name: 'User Profile' });
  await expect(dialog.getByRole('status', { name: 'Loading profile…' })).toBeVisible();
  await expectAccessible(page);
  release?.();
  await expect(dialog.getByText('Failed to load user profile')).toBeVisible();
  await expectAccessible(page);
  await page.unroute(`**${path}`);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('heading', { name: 'Sam' })).toBeVisible();
  await expect(dialog).toContainText('No dogs yet.');

  // A failing server doesn't remove the profile already shown.
  await page.route(`**${path}`, (route) => route.fulfill({ status: 400, json: null }));
  await dialog.getByRole('button', { name: 'Send Friend Request' }).click();
  await expect(dialog).toContainText('Friend request pending');
  await expect(dialog).toContainText('As of');
  await expect(dialog.getByRole('heading', { name: 'Sam' })).toBeVisible();
  await page.unroute(`**${path}`);

  await page.goBack();
  await expect(dialog).toBeHidden();
  await context.setOffline(true);
  await page.clock.setFixedTime(Date.now() + 3_600_000);
  await page.goForward();
  await expect(dialog.getByRole('heading', { name: 'Sam' })).toBeVisible();
  await expect(dialog).toContainText('As of');
  await expectAccessible(page);
});
