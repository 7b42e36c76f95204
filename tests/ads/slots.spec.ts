import type { BrowserContext, Page, Request } from '@playwright/test';
import {
  createAdvertisement,
  deleteAdvertisement,
  listAdvertisements,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import type { Ad, Placement } from '#shared/ads/contract.ts';
import { ADMIN_EMAIL } from '../../scripts/session/api-session.ts';
import {
  expect,
  expectAccessible,
  offlineTest,
  screenHeading,
  test,
  untilStored,
} from '../browser.ts';
import { takeShiftedElements, watchShifts } from '../dashboard/layout-shifts.ts';

/** A real user agent: views of headless browsers do not count. */
const context = {
  userAgent: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
};
const slot = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const banner = (page: Page) => slot(page, 'Sponsor');
const sidebar = (page: Page) => slot(page, 'Sponsor (sidebar)');

const adOf = (placement: Placement, more: Partial<Ad> = {}) => ({
  id: 'an-ad',
  title: `The ${placement}`,
  description: 'Fresh every day, and around the corner from the park.',
  image_url: '/icons/icon-192.png',
  target_url: 'http://localhost:9/',
  placement,
  active: true,
  priority: 1,
  created_at: '2026-11-21T10:00:00.000Z',
  expires_at: null,
  view_id: `view of ${placement}`,
  ...more,
});

type Answers = (placement: Placement) => object[] | 'fails';

/** Fulfills the ad requests of slots with these answers, once `until` resolves. */
async function serveAds(
  at: Page | BrowserContext,
  answers: { paid: Answers; house: Answers },
  until: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  // The app asks for each itself.
  await at.route('**/api/start?*', (route) => route.fulfill({ json: { answers: [] } }));
  await at.route('**/api/shown-advertisements?*', async (route) => {
    await until;
    const asked = new URL(route.request().url()).searchParams.get('placement') as Placement;
    const paid = answers.paid(asked);
    const given = paid.length > 0 ? paid : answers.house(asked);
    await (given === 'fails' ? route.abort() : route.fulfill({ json: { ads: given } }));
  });
}
const none: Answers = () => [];
const fails: Answers = () => 'fails';

/** Scrolls to the sidebar ad, which loads when it comes near the viewport. */
const scrollToEnd = (page: Page) =>
  page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

offlineTest('counts views and clicks of an ad, even offline', async ({ owner, device, origin }) => {
  const admin = await device({ email: ADMIN_EMAIL });
  const { page, context: browser } = await owner({ context });
  const made: Advertisement[] = [];
  for (const placement of ['banner', 'sidebar'] as const) {
    const body = {
      title: `Kibble in the ${placement}`,
      description: 'Fresh daily',
      target_url: `${origin}/no/such/page`,
      image_url: `${origin}/icons/icon-192.png`,
      placement,
      priority: 10,
    };
    made.push((await admin.call(createAdvertisement, { body })).advertisement);
  }
  const counts = async () => {
    const { advertisements } = await admin.call(listAdvertisements);
    return made.map(({ id }) => {
      const { impressions, clicks } = advertisements.find((ad) => ad.id === id) ?? {};
      return { impressions, clicks };
    });
  };
  /** Clicks the ad and returns its new tab. */
  const follow = async (place: typeof banner) => {
    const opened = browser.waitForEvent('page');
    await place(page).getByRole('link').click();
    return opened;
  };
  try {
    const seen = page.waitForResponse('**/api/ad-impressions');
    await page.goto('/home');
    await expect(banner(page)).toContainText('Kibble in the banner');
    await expect(banner(page)).toContainText('Sponsored');
    await expect(banner(page).getByRole('link')).toHaveAttribute('rel', /noopener/);
    await expectAccessible(page);
    await seen;
    await expect.poll(counts).toMatchObject([{ impressions: 1, clicks: 0 }, {}]);

    const target = await follow(banner);
    await expect(screenHeading(target)).toHaveText('Page not found');
    expect(await target.evaluate(() => window.opener === null)).toBe(true);
    await target.close();
    await expect(page).toHaveURL('/home');
    await expect.poll(counts).toMatchObject([{ impressions: 1, clicks: 1 }, {}]);

    await scrollToEnd(page);
    await expect(sidebar(page)).toContainText('Kibble in the sidebar');
    await scrollToEnd(page);
    await expect.poll(counts).toMatchObject([{}, { impressions: 1, clicks: 0 }]);
    await untilStored(page);
    await browser.setOffline(true);
    await (await follow(sidebar)).close();
    await expect(page.getByText('You’re offline.')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
    await browser.setOffline(false);
    await expect.poll(counts).toEqual([
      { impressions: 1, clicks: 1 },
      { impressions: 1, clicks: 1 },
    ]);
  } finally {
    for (const { id } of made) await admin.call(deleteAdvertisement, { params: { id } });
  }
});

test('shows paid ads first, then house ads, then the fallback of the slot', async ({ owner }) => {
  const { page, context: browser } = await owner();
  const clicked: string[] = [];
  const paid: Answers = (placement) => [adOf(placement, { id: 7, title: 'Paid' })];
  const house: Answers = (placement) => [adOf(placement, { title: 'House' })];
  const show = async (answers: { paid: Answers; house: Answers }) => {
    await browser.unrouteAll({ behavior: 'ignoreErrors' });
    await serveAds(browser, answers);
    await browser.route('**/api/*ad-clicks', (route) => {
      const body = route.request().postDataJSON() as { ad_id: unknown };
      clicked.push(`${new URL(route.request().url()).pathname} ${JSON.stringify(body.ad_id)}`);
      return route.fulfill({ json: {} });
    });
    await page.goto('/home');
    await expect(page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
  };
  // All slots of the dashboard are visible at once.
  await page.setViewportSize({ width: 1280, height: 3000 });
  const itself = page.getByText('Show your shop to dog owners nearby.');
  const failed = page.getByText('Failed to load advertisements');

  await show({ paid, house });
  for (const place of [banner(page), slot(page, 'Sponsor (between items)'), sidebar(page)])
    await expect(place).toContainText('Paid');
  await banner(page).getByRole('link').click();
  await expect.poll(() => clicked).toEqual(['/api/paid-ad-clicks 7']);
  await show({ paid: none, house });
  await expect(banner(page)).toContainText('House');
  await banner(page).getByRole('link').click({ button: 'middle' });
  await expect.poll(() => clicked).toEqual(['/api/paid-ad-clicks 7', '/api/ad-clicks "an-ad"']);

  await show({ paid: none, house: none });
  await expect(itself).toBeVisible();
  await expect(page.getByRole('link', { name: 'Advertise With Us' })).toBeVisible();
  await show({ paid: none, house: fails });
  await expect(itself).toBeVisible();
  await scrollToEnd(page);
  await expect(failed.first()).toBeVisible();

  const unsafe: Answers = (placement) => [adOf(placement, { target_url: 'javascript:alert(1)' })];
  await show({ paid: none, house: unsafe });
  await expect(itself).toBeVisible();
  await expect(banner(page)).toBeHidden();
});

test('shows the current ad when the user returns to an open screen', async ({ owner }) => {
  const { page } = await owner();
  let title = 'Sold until noon';
  await serveAds(page, {
    paid: (place) => [adOf(place, { id: 7, title, view_id: title })],
    house: none,
  });
  await page.goto('/home');
  await expect(banner(page)).toContainText(title);
  const turn = (minutes: number) =>
    page.evaluate((ms) => {
      const { now } = Date;
      Date.now = () => now() + ms;
      document.dispatchEvent(new Event('visibilitychange'));
    }, minutes * 60_000);
  const before = title;
  title = 'Sold from noon on';
  await turn(1);
  await expect(banner(page)).toContainText(before);
  await turn(5);
  await expect(banner(page)).toContainText(title);
});

test('counts an ad view after half of the ad was visible for a second', async ({ owner }) => {
  const { page } = await owner();
  const seen: string[] = [];
  await serveAds(page, { paid: none, house: (placement) => [adOf(placement)] });
  await page.route('**/api/ad-impressions', (route) => {
    seen.push((route.request().postDataJSON() as { view_id: string }).view_id);
    return route.fulfill({ json: {} });
  });
  await page.setViewportSize({ width: 360, height: 1200 });
  await page.clock.install();
  await page.goto('/home?open=test-alerts');
  const dialog = page.getByRole('dialog', { name: 'Test Alerts' });
  await expect(dialog).toBeVisible();
  await expect(page.getByText('The banner')).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  // An ad under a dialog is not visible.
  await page.clock.runFor(5_000);
  expect(seen).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const turn = (state: 'visible' | 'hidden') =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => visibilityState,
      });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await turn('hidden');
  await page.clock.runFor(5_000);
  expect(seen).toEqual([]);
  await turn('visible');
  await page.clock.runFor(900);
  // An interruption restarts the second.
  await turn('hidden');
  await turn('visible');
  await page.clock.runFor(900);
  expect(seen).toEqual([]);
  await page.clock.runFor(200);
  await expect.poll(() => seen).toEqual(['view of banner']);

  const toBottom = () => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
  await page.evaluate(toBottom);
  await expect(sidebar(page)).toContainText('The sidebar');
  /** Scrolls until this much of the ad is visible above the navigation. */
  const scrollTo = async (share: number) => {
    const { height = 0, y = 0 } = (await sidebar(page).boundingBox()) ?? {};
    const { y: edge = 0 } = (await page.getByRole('navigation').boundingBox()) ?? {};
    const by = y + height * share - edge;
    await page.evaluate((top) => window.scrollBy({ top, behavior: 'instant' }), by);
  };
  for (const share of [0, 0.4]) {
    await scrollTo(share);
    await page.clock.runFor(5_000);
    expect(seen).not.toContain('view of sidebar');
  }
  await scrollTo(0.7);
  // The browser reports visibility in its own frame, which the stopped clock does not delay.
  await expect
    .poll(async () => {
      await page.clock.runFor(1_100);
      return seen;
    })
    .toContain('view of sidebar');

  // Each served ad counts once, even when the user leaves and comes back.
  await page.clock.resume();
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await expect(page).toHaveURL('/onboarding');
  await page.goBack();
  await expect(page.getByText('The banner')).toBeVisible();
  await page.clock.fastForward(3_000);
  expect(seen.filter((view) => view === 'view of banner')).toEqual(['view of banner']);
});

test('ads cause no layout shift on a phone or a wide screen', async ({ owner }) => {
  const { page } = await owner();
  await watchShifts(page);
  const house: Answers = (placement) => [adOf(placement)];
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    for (const answers of [
      { paid: none, house },
      { paid: none, house: none },
      { paid: fails, house: fails },
    ]) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      let release = () => {};
      await serveAds(page, answers, new Promise<void>((resolve) => (release = resolve)));
      await page.goto('/home');
      await expect(page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
      await takeShiftedElements(page);
      release();
      if (answers.house === house)
        await expect.poll(() => banner(page).locator('img').evaluate(isLoaded)).toBe(true);
      else await expect(page.getByText('Show your shop to dog owners nearby.')).toBeVisible();
      expect(await takeShiftedElements(page)).toEqual([]);
    }
  }
});

test('the last link of the screen stays in place whether or not an ad appears below it', async ({
  owner,
}) => {
  const { page } = await owner();
  await watchShifts(page);
  const last = page.getByRole('link', { name: 'Test Alerts' });
  const house: Answers = (placement) => [adOf(placement)];
  const asksForAd = (request: Request) => /\/shown-advertisements\?.*sidebar/.test(request.url());
  for (const answer of [house, none, fails]) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    let release = () => {};
    await serveAds(page, { paid: none, house: answer }, new Promise<void>((go) => (release = go)));
    const asked = page.waitForRequest(/shown-advertisements\?.*sidebar/);
    await page.goto('/home');
    await expect(page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
    await scrollToEnd(page);
    await asked;
    const before = await last.boundingBox();
    const answered =
      answer === fails
        ? page.waitForEvent('requestfailed', asksForAd)
        : page.waitForEvent('requestfinished', asksForAd);
    release();
    await answered;
    await takeShiftedElements(page);
    expect(await last.boundingBox()).toEqual(before);
  }
});

const isLoaded = (image: HTMLElement | SVGElement) =>
  image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0;

test('visitors see sponsors or fallbacks without layout shifts', async ({ page }) => {
  await watchShifts(page);
  for (const path of ['/', '/welcome'])
    for (const house of [none, (placement: Placement) => [adOf(placement)]]) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      let release = () => {};
      await serveAds(page, { paid: none, house }, new Promise<void>((go) => (release = go)));
      await page.goto(path);
      await expect(screenHeading(page)).toBeVisible();
      await page.mouse.wheel(0, 5_000);
      await takeShiftedElements(page);
      release();
      if (house === none) {
        await expect(
          page.getByText('Sponsors help pay for this app. Your name could be here.'),
        ).toBeVisible();
        await expect(slot(page, 'Sponsor (between items)')).toHaveCount(0);
      } else {
        await expect(banner(page)).toContainText('Sponsored');
        await expect(slot(page, 'Sponsor (between items)')).toContainText('Sponsored');
      }
      expect(await takeShiftedElements(page)).toEqual([]);
      await expectAccessible(page);
    }
});

test('loads no ad images in data saver mode', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await serveAds(page, { paid: none, house: (placement) => [adOf(placement)] });
  await page.goto('/welcome');
  await expect(banner(page)).toContainText('The banner');
  await expect(banner(page).locator('img')).toHaveCount(0);
});

test('the ad over a page is shown once a day at most, can be closed, and never on a walk or over Home', async ({
  owner,
}) => {
  const at = { latitude: 12.5, longitude: 140.5 };
  const sam = await owner({ at, context: { ...context, viewport: { width: 360, height: 740 } } });
  const { page } = sam;
  const answers = () => ({
    paid: (placement: Placement) => (placement === 'modal' ? [{ ...adOf('modal'), id: 1 }] : []),
    house: () => [],
  });
  await serveAds(sam.context, answers());
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('placement=modal')) asked.push(request.url());
  });
  const dialog = page.getByRole('dialog', { name: 'Sponsor' });
  await page.goto('/home');
  await page.getByRole('button', { name: 'Start walk' }).click();
  await expect(page.getByText('Location tracking active')).toBeVisible();
  await page.getByRole('link', { name: 'Social', exact: true }).click();
  await expect(screenHeading(page)).toHaveText('Social');
  // Longer than it waits without a walk.
  await page.waitForTimeout(2_500);
  expect(asked).toEqual([]);

  await page.getByRole('link', { name: 'Walk', exact: true }).click();
  await page.getByRole('button', { name: 'End walk' }).click();
  await expect(page.getByRole('button', { name: 'Start walk' })).toBeVisible();
  await page.waitForTimeout(2_500);
  expect(asked).toEqual([]);
  await page.getByRole('link', { name: 'Social', exact: true }).click();
  await expect(dialog).toContainText('The modal');
  await expect(dialog.getByRole('link')).toHaveAttribute('rel', /sponsored/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('link', { name: 'You', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'You' })).toBeVisible();
  await page.waitForTimeout(2_500);
  await expect(dialog).toBeHidden();
  expect(asked).toHaveLength(1);
});

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

test('each ad is where it is sold, on a phone and on a computer', async ({
  owner,
  browser,
  origin,
}) => {
  const paid: Answers = (placement) => [adOf(placement, { id: 7 })];
  const boxOf = async (place: ReturnType<typeof banner>) => {
    const box = await place.boundingBox();
    if (!box) throw new Error('it is not shown');
    return box;
  };
  const visitor = await browser.newContext({ baseURL: origin, ...context });
  await serveAds(visitor, { paid, house: none });
  const start = await visitor.newPage();
  const { page } = await owner();
  await serveAds(page, { paid, house: none });
  for (const size of [PHONE, DESKTOP]) {
    await start.setViewportSize(size);
    await start.goto('/');
    const drawing = start.getByRole('img', { name: /^An alert as it looks/ });
    await drawing.evaluate((it) => window.scrollTo(0, it.getBoundingClientRect().bottom - 300));
    await expect(banner(start)).toContainText('The banner');
    const picture = await boxOf(drawing);
    const below = await boxOf(banner(start));
    expect(below.y).toBeGreaterThanOrEqual(picture.y + picture.height);
    expect(below.y - picture.y - picture.height).toBeLessThan(120);

    await page.setViewportSize(size);
    await page.goto('/home');
    const top = banner(page);
    await expect(top).toContainText('The banner');
    const [ad, walk, title] = await Promise.all([
      boxOf(top),
      boxOf(page.getByRole('button', { name: 'Start walk' })),
      boxOf(screenHeading(page)),
    ]);
    if (size === DESKTOP) expect(ad.y).toBeLessThan(title.y);
    else {
      // Below the walk, and whole in the first view.
      expect(ad.y).toBeGreaterThan(walk.y);
      expect(ad.y + ad.height).toBeLessThanOrEqual(size.height);
    }
    await scrollToEnd(page);
    await expect(sidebar(page)).toContainText('The sidebar');
    const end = await page.evaluate(() => document.documentElement.scrollHeight);
    const { y, height } = await boxOf(sidebar(page));
    const bottom = y + height + (await page.evaluate(() => window.scrollY));
    // Only the navigation of a phone comes after it.
    expect(end - bottom).toBeLessThan(150);
  }
  await visitor.close();
});
