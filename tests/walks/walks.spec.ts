import type { Page } from '@playwright/test';
import { listFriendRequests } from '#shared/friends/contract.ts';
import type { Place } from '#shared/place.ts';
import { expect, expectAccessible, position, test, type Owner } from '../browser.ts';
import { waitForTapGuard } from '../http/tap-helpers.ts';
import { givePicture, untilSaved } from '../my-dogs.ts';
import { actionsOf, record, spokenBy } from '../proximity/recording.ts';

const METERS_PER_DEGREE = 111_320;
/** Coordinates that no other test uses. */
const park = (): Place => ({ latitude: -50 + Math.random() * 100, longitude: 130 });
const north = (place: Place, meters: number): Place => ({
  ...place,
  latitude: place.latitude + meters / METERS_PER_DEGREE,
});

const rex = { name: 'Rex', sound_type: 'leash_on' } as const;
const bella = { name: 'Bella', sound_type: 'leash_off' } as const;

const warning = (page: Page) => page.getByRole('region', { name: 'Dog nearby' });
const walkCard = (page: Page) => page.getByRole('region', { name: 'Location sharing' });

async function startWalk({ page }: Owner): Promise<void> {
  await page.goto('/home');
  await walkCard(page).getByRole('button', { name: 'Start walk' }).click();
  await expect(walkCard(page)).toContainText('Location tracking active');
}

test('two strangers start a walk, are warned, and find each other in the summary', async ({
  owner,
}) => {
  const here = park();
  const sam = await owner({ name: 'Sam', dogs: [rex], at: here });
  const ana = await owner({ name: 'Ana', dogs: [bella], at: north(here, 60) });
  await startWalk(sam);
  await startWalk(ana);
  await position(ana.context, north(here, 24));
  await expect(warning(ana.page)).toContainText('Rex needs space');
  await expect(warning(sam.page)).toContainText('Bella may be off leash');

  await waitForTapGuard(ana.page);
  // The warning leads to the person, and stays.
  await warning(ana.page).getByRole('link', { name: 'Sam' }).click();
  const profile = ana.page.getByRole('dialog', { name: 'User Profile' });
  await expect(profile).toContainText('Sam');
  await expect(warning(ana.page)).toContainText('Rex needs space');
  await profile.getByRole('button', { name: 'Close' }).click();
  await waitForTapGuard(ana.page);
  await warning(ana.page).getByRole('button', { name: 'Got it' }).click();
  await walkCard(ana.page).getByRole('button', { name: 'End walk' }).click();
  await expect(ana.page).toHaveURL(/\/walks\/[\w-]+$/);
  const { page } = ana;
  await expect(page.getByRole('heading', { name: 'Your walk' })).toBeFocused();
  // A wide screen shows more than the route.
  await page.setViewportSize({ width: 1280, height: 800 });
  const route = await page.getByRole('img', { name: 'The route of this walk' }).boundingBox();
  expect(route?.height).toBeLessThanOrEqual(288);
  await expect(page.getByRole('region', { name: 'People you met' })).toBeInViewport();
  // Whoever ended it by accident goes on with the same walk, and is warned again.
  const address = page.url();
  await page.getByRole('button', { name: 'Keep walking' }).click();
  await expect(page).toHaveURL('/home');
  await expect(walkCard(page)).toContainText('Location tracking active');
  await walkCard(page).getByRole('button', { name: 'End walk' }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('definition').first()).toHaveText(/^\d+ (s|min)$/);
  const met = page.getByRole('region', { name: 'People you met' });
  const row = met.getByRole('listitem', { name: 'Sam' });
  await expect(row).toContainText('Rex');
  await expect(row).toContainText('Needs space');
  await expectAccessible(page);

  await row.getByRole('button', { name: 'Add friend Sam' }).click();
  await expect(row).toContainText('Friend request pending');
  await row.getByRole('button', { name: 'We walked together Sam' }).click();
  await expect
    .poll(async () => (await sam.call(listFriendRequests)).received.map((each) => each.sender_name))
    .toEqual(['Ana']);

  await page.reload();
  await expect(row.getByRole('button', { pressed: true })).toHaveText('We walked together Sam');
  await page.getByRole('link', { name: 'All walks' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'met 1' })).toBeVisible();
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export walks' }).click();
  expect((await downloading).suggestedFilename()).toBe('walks.json');
  await page.getByRole('button', { name: 'Delete all walks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
  await expect(page.getByRole('heading', { name: 'No walks yet' })).toBeVisible();
  await expect(page.getByText('Start a walk when you head out.')).toBeVisible();
});

test('in pocket mode taps do nothing, warnings speak and show, and a long press leaves', async ({
  owner,
}) => {
  const here = park();
  const ana = await owner({ name: 'Ana', dogs: [bella], at: here });
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: north(here, 20) });
  await givePicture(sam);
  await record(ana.context);
  await startWalk(ana);
  const { page } = ana;
  await walkCard(page).getByRole('link', { name: 'Pocket mode' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pocket mode' });
  await expect(dialog).toContainText('It uses battery.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Start pocket mode' }).click();
  await expect(dialog).toContainText('Location tracking active');
  await expectAccessible(page);

  await sam.page.goto('/home');
  await expect(dialog).toContainText('Rex needs space');
  await expect(dialog).toContainText('Leash your dog and give Rex room.');
  await expect(dialog).toContainText(/\d+ ft/);
  const photo = dialog.locator('img');
  await expect
    .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expectAccessible(page);
  await expect.poll(() => spokenBy(page)).toHaveLength(1);
  expect((await actionsOf(page)).map(({ what }) => what)).toContain('vibrate');

  const hold = dialog.getByRole('button', { name: 'Hold to leave pocket mode' });
  const { width, height } = page.viewportSize()!;
  for (const part of [0.2, 0.5, 0.97]) await page.mouse.click(width * 0.5, height * part);
  await hold.click();
  await page.keyboard.press('Escape');
  await expect(dialog).toContainText('Rex needs space');

  await hold.hover();
  await page.mouse.down();
  await expect(dialog).toContainText('Keep holding…');
  await expect(dialog).toBeHidden();
  await page.mouse.up();
  await expect(page).toHaveURL('/home');
  await expect(warning(page)).toContainText('Rex needs space');
});

test('a walk starts only on the device where somebody starts it', async ({ owner, device }) => {
  const here = park();
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here });
  await ana.page.goto('/home');
  await expect(walkCard(ana.page)).toContainText('Location tracking active');
  const tablet = await device(ana);
  await position(tablet.context, here);
  const reports: string[] = [];
  tablet.page.on('request', (request) => {
    if (request.url().includes('/api/location')) reports.push(request.method());
  });
  await tablet.page.goto('/home');
  await expect(walkCard(tablet.page).getByRole('button', { name: 'Start walk' })).toBeVisible();
  await untilSaved(tablet.page);
  await expect(walkCard(tablet.page)).toContainText('Location sharing is off');
  expect(reports).toEqual([]);

  // Ending the walk ends it everywhere, and a reload keeps one that goes on.
  await ana.page.reload();
  await expect(walkCard(ana.page)).toContainText('Location tracking active');
  await walkCard(ana.page).getByRole('button', { name: 'End walk' }).click();
  await walkCard(tablet.page).getByRole('button', { name: 'Start walk' }).click();
  await expect(walkCard(tablet.page)).toContainText('Location tracking active');
});

test('a walk that nobody ended shares nothing when the app is opened the next day', async ({
  owner,
}) => {
  const sam = await owner({ name: 'Sam', dogs: [rex], at: park() });
  await startWalk(sam);
  const { page, user } = sam;
  await page.goto('about:blank');
  await page.goto('/privacy');
  await page.evaluate(
    (key) => localStorage.setItem(key, String(Date.now() - 20 * 3_600_000)),
    `cache-${user.id}-walk-seen`,
  );
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/location') && request.method() === 'POST')
      reports.push(request.url());
  });
  await page.goto('/home');
  await expect(walkCard(page).getByRole('button', { name: 'Start walk' })).toBeVisible();
  await untilSaved(page);
  expect(reports).toEqual([]);
  await page.reload();
  await expect(walkCard(page).getByRole('button', { name: 'Start walk' })).toBeVisible();
});
