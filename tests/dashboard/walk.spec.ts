import type { Locator, Page } from '@playwright/test';
import { listShownAds, type Ad } from '#shared/ads/contract.ts';
import { createAlert, deactivateAlert } from '#shared/alerts/admin-contract.ts';
import { expect, expectAccessible, freshEmail, loginUrl, position, test } from '../browser.ts';
import { untilSaved } from '../my-dogs.ts';

const PHONE = { viewport: { width: 360, height: 740 } };
const METERS_PER_DEGREE = 111_320;
// Coordinates that no other test uses.
const park = () => ({ latitude: -50 + Math.random() * 100, longitude: 81 });

/** Expects elements in the window, above the navigation, without scrolling. */
async function expectInView(page: Page, ...elements: Locator[]): Promise<void> {
  // A new page is scrolled to its top once it is rendered.
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  const navigation = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())!;
  for (const element of elements) {
    const box = (await element.boundingBox())!;
    expect(box.y, String(element)).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height, String(element)).toBeLessThanOrEqual(navigation.y);
    expect(box.x + box.width, String(element)).toBeLessThanOrEqual(PHONE.viewport.width);
  }
}

test('a new owner starts a walk with one tap, sees the nearest dog without scrolling, and ends it', async ({
  browser,
  origin,
  owner,
  admin,
  code,
}) => {
  const here = park();
  const near = { ...here, latitude: here.latitude + 20 / METERS_PER_DEGREE };
  const sam = await owner({
    name: 'Samantha Featherstonehaugh-Cholmondeley of Upper Wickham',
    dogs: [{ name: 'Rex', sound_type: 'leash_on' }],
    sharing: true,
    at: near,
  });
  const { alert } = await admin.call(createAlert, {
    body: {
      alert_type: 'weather',
      severity: 'moderate',
      title: 'Dense fog',
      description: 'Visibility is poor.',
      affected_latitude: here.latitude,
      affected_longitude: here.longitude,
      radius_miles: 1,
      expires_at: null,
    },
  });

  const context = await browser.newContext({ baseURL: origin, ...PHONE });
  const page = await context.newPage();
  const ad: Ad = {
    id: 'an-ad',
    title: 'Kibble for all',
    description: 'Two bags for one.',
    image_url: null,
    target_url: 'https://kibble.example/',
    placement: 'banner',
    active: true,
    priority: 1,
    created_at: new Date().toISOString(),
    expires_at: null,
    view_id: 'a-view',
  };
  await page.route(`**/api${listShownAds.path}?placement=banner*`, (route) =>
    route.fulfill({ json: { ads: [ad] } }),
  );
  await position(context, here);
  await page.goto('/access-code');
  await page.getByLabel('Access code').fill(code);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/welcome');
  await page.goto(await loginUrl(context, origin, freshEmail('walker')));
  await expect(page).toHaveURL('/onboarding');
  await page.getByLabel('Display name').fill('Bartholomew Featherstonehaugh-Cholmondeley');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Dog name').fill('Pip');
  await page.getByRole('radio', { name: /Friendly/ }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Complete Setup' }).click();

  await expect(page).toHaveURL('/home');
  const walk = page.getByRole('region', { name: 'Location sharing' });
  const start = walk.getByRole('button', { name: 'Start walk' });
  await expectInView(page, start, walk.getByText('Start a walk to be warned of dogs nearby'));
  await start.click();
  await expect(walk).toContainText('Location tracking active');
  const timer = walk.getByRole('timer');
  await expect(timer).toHaveText(/^0:0\d$/);
  // What a walk doesn't need is folded.
  const more = page.getByRole('button', { name: 'Weather, dogs and more' });
  const dogs = page.getByRole('region', { name: 'My Dogs' });
  await expect(dogs).toHaveCount(0);
  await more.click();
  await expect(dogs).toContainText('Pip');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  // An ad is loaded when it is near.
  await dogs.scrollIntoViewIfNeeded();
  await expect(page.getByRole('link', { name: /Kibble for all/ })).toBeAttached();
  await more.click();
  await expect(dogs).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(page.getByText('Dense fog').first()).toBeAttached();

  await sam.page.goto('/home');
  const nearest = page.getByRole('region', { name: 'Nearby Users' }).getByRole('listitem').first();
  await expect(nearest).toContainText('Needs space');
  await expect(nearest).toContainText('Steady');
  await expect(nearest).toContainText(/\d0 feet/);
  // “Got it” folds the warning, which stays above the navigation.
  const warning = page.getByRole('region', { name: 'Dog nearby' });
  await expect(async () => {
    await warning.getByRole('button', { name: 'Got it' }).click({ timeout: 1000 });
    await expect(warning).toBeHidden({ timeout: 500 });
  }).toPass();
  const end = walk.getByRole('button', { name: 'End walk' });
  const state = walk.getByText('Location tracking active');
  await expectInView(
    page,
    state,
    timer,
    end,
    nearest.getByText('Rex'),
    nearest.getByText(/feet/).first(),
  );
  await expectAccessible(page);

  await position(sam.context, { ...here, latitude: here.latitude + 4 / METERS_PER_DEGREE });
  await expect(nearest).toContainText('Approaching');

  await end.click();
  await expect(page).toHaveURL(/\/walks\//);
  await page.getByRole('link', { name: 'Walk', exact: true }).click();
  await expect(walk).toContainText('Location sharing is off');
  await expect(start).toBeVisible();
  await admin.call(deactivateAlert, { params: { id: alert.id } });
  await context.close();
});

test('a walk does not start without permission, and says why', async ({ owner }) => {
  const { context, page } = await owner({ context: PHONE });
  await context.grantPermissions([]);
  await page.goto('/home');
  const walk = page.getByRole('region', { name: 'Location sharing' });
  await walk.getByRole('button', { name: 'Start walk' }).click();
  await expect(walk).toContainText('Unable to access your location');
  await expect(walk.getByRole('button', { name: 'Start walk' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable Location' })).toBeVisible();
  // A page that is closed before the change is stored may restore it later, along with a new one.
  await untilSaved(page);
  await page.reload();
  await expect(walk).toContainText('Location sharing is off');

  await position(context, park());
  await page.waitForFunction(async () => {
    const { state } = await navigator.permissions.query({ name: 'geolocation' });
    return state === 'granted';
  });
  await walk.getByRole('button', { name: 'Start walk' }).click();
  await expect(walk).toContainText('Location tracking active');
  const end = walk.getByRole('button', { name: 'End walk' });
  const place = await end.boundingBox();
  // With a network but no answer, the texts on the screen agree with each other.
  await page.route('**/api/location', (route) => route.abort());
  // The next report is sent now.
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(walk).toContainText('Paused: can’t reach our server');
  // What one presses stays in its place.
  expect(await end.boundingBox()).toEqual(place);
  await expect(page.getByText(/no connection|offline|You’ll be warned|hear warnings/i)).toHaveCount(
    0,
  );
  await context.setOffline(true);
  await expect(walk).toContainText('Paused: no connection');
  await expect(page.getByText(/You’ll be warned|hear warnings|Saved/)).toHaveCount(0);
});

test('the five destinations are in the navigation, and the page “You” leads to everything else', async ({
  owner,
}) => {
  const { page } = await owner({ context: PHONE });
  await page.goto('/home');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect(navigation.getByRole('link')).toHaveText([
    'Walk',
    'Places',
    'Social',
    'Dogs',
    'You',
  ]);
  await navigation.getByRole('link', { name: 'Dogs' }).click();
  await expect(page).toHaveURL('/dogs');
  await expect(page.getByRole('heading', { name: 'Dogs', level: 1 })).toBeFocused();
  await expect(page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
  await expectAccessible(page);
  await navigation.getByRole('link', { name: 'You' }).click();
  await expect(page.getByRole('heading', { name: 'Sam', level: 1 })).toBeFocused();
  await page.getByText('Who sees where I am?').click();
  await expect(page.getByText('Owners near you see a rough distance')).toBeVisible();
  await expectAccessible(page);
  const entries = page.getByRole('navigation', { name: 'You' }).getByRole('link');
  const addresses = await entries.evaluateAll((links) => links.map((a) => a.getAttribute('href')));
  expect(addresses).toEqual([
    '/you?open=profile',
    '/onboarding',
    '/walks',
    '/settings',
    '/home?open=test-alerts',
    '/home?open=refer-friends',
    '/community',
  ]);
  await expect(entries.filter({ hasText: 'Refer Friends' })).toContainText(
    'Be warned of more dogs',
  );
  await entries.filter({ hasText: 'Settings' }).click();
  await expect(navigation.locator('[aria-current]')).toHaveText('You');
});
