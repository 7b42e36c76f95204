import type { BrowserContext, Page, ViewportSize } from '@playwright/test';
import { updateCharity } from '#shared/charities/admin-contract.ts';
import { createCharity } from '#shared/charities/contract.ts';
import { ADMIN_EMAIL } from '../../scripts/session/api-session.ts';
import { expect, expectAccessible, screenHeading, test } from '../browser.ts';
import { charityBody } from '../charities/made-charities.ts';
import { CLS_BUDGET, takeShiftScore, watchShifts } from '../dashboard/layout-shifts.ts';
import { delaySecondaryRequests, misfits } from './screen-fit.ts';

const PHONE = { viewport: { width: 360, height: 740 } };
const NARROWEST = { viewport: { width: 320, height: 640 } };

/** Returns a function that sets the window and, as the browser's settings do, the font size, which widths in rem follow. */
async function resizer(context: BrowserContext, page: Page) {
  const browser = await context.newCDPSession(page);
  return async (viewport: ViewportSize, standard: number) => {
    await page.setViewportSize(viewport);
    await browser.send('Page.setFontSizes', { fontSizes: { standard } });
  };
}

/** Expects that nothing is wider than the window, so that no one has to scroll in two directions. */
const expectToFit = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: page.url() })
    .toBeLessThanOrEqual(NARROWEST.viewport.width);

test('visitor screens have touchable targets on a phone, fit the narrowest window with doubled text size, and the landing page does not shift', async ({
  browser,
  origin,
}) => {
  const context = await browser.newContext({ baseURL: origin, ...PHONE });
  const page = await context.newPage();
  const release = await delaySecondaryRequests(page);
  await watchShifts(page);
  const resize = await resizer(context, page);
  for (const path of [
    '/',
    '/welcome',
    '/access-code',
    '/advertiser-signup',
    '/charity-signup',
    '/no/such/page',
  ]) {
    await page.goto(path);
    const heading = screenHeading(page);
    await expect(heading).toBeVisible();
    if (path === '/') {
      release();
      await expect(page.getByText(/services are simulated/)).toBeVisible();
      expect(await takeShiftScore(page)).toBeLessThan(CLS_BUDGET);
    }
    if (path === '/no/such/page') await expect(heading).toHaveText('Page not found');
    // The input of files is hidden behind its button.
    if (path !== '/charity-signup') {
      const { targets, ...rest } = await misfits(page);
      expect(targets, path).toBeGreaterThan(1);
      expect(rest, path).toEqual({ small: [], overflow: 0 });
    }

    await resize(NARROWEST.viewport, 32);
    if (path === '/') {
      await page.getByRole('button', { name: 'Learn More' }).click();
      await expect(page.getByText('One hand is enough')).toBeVisible();
    }
    await expectToFit(page);
    if (path === '/access-code') {
      await page.getByRole('button', { name: 'No code? Donate $1' }).click();
      await expect(page.getByRole('button', { name: 'Donate with Google Pay' })).toBeVisible();
      await expectToFit(page);
    }
    await resize(PHONE.viewport, 16);
  }
  await expectAccessible(page);
  await context.close();
});

test('member screens fit the narrowest window with doubled text size', async ({ owner, admin }) => {
  const { page, context } = await owner({
    at: { latitude: 51.5, longitude: -0.12 },
    context: NARROWEST,
  });
  const data = charityBody({ charity_name: 'Neighbourhood Noses', city: 'Springfield' });
  const sent = await page.request.post('/api/charities', { data });
  const { charity } = createCharity.answer.parse(await sent.json());
  await admin.call(updateCharity, { params: { id: charity.id }, body: { is_verified: true } });
  await (
    await resizer(context, page)
  )(NARROWEST.viewport, 32);
  for (const path of [
    '/home',
    '/settings',
    '/locations',
    '/community',
    '/onboarding',
    '/walks/planned',
    '/social',
  ]) {
    await page.goto(path);
    await expect(screenHeading(page)).toBeVisible();
    if (path === '/community') await page.getByText('Neighbourhood Noses').first().waitFor();
    await expectToFit(page);
  }
  for (const tab of ['Requests', 'Search', 'Chat', 'Invitations', 'Blocked']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectToFit(page);
  }
});

test('labels of tabs don’t collide if the page’s text alone is doubled', async ({
  owner,
  device,
}) => {
  const sam = await owner({ context: PHONE });
  const admin = await device({ email: ADMIN_EMAIL }, PHONE);
  for (const [{ page }, path] of [
    [sam, '/home'],
    [sam, '/social'],
    [sam, '/locations'],
    [admin, '/admin'],
    [admin, '/admin?tab=advertisers'],
  ] as const) {
    await page.goto(path);
    await expect(screenHeading(page).first()).toBeVisible();
    // Unlike the browser's setting, this doesn't change the widths in rem that media queries compare.
    await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
    const cut = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('nav[aria-label="Main"] li, [role="tab"]')]
          .filter((tab) => {
            const { left, right } = tab.getBoundingClientRect();
            return [...tab.querySelectorAll('span')].some((label) => {
              const box = label.getBoundingClientRect();
              return box.width > 1 && (box.left < left - 1 || box.right > right + 1);
            });
          })
          .map(({ textContent }) => textContent),
      );
    expect([path, await cut()]).toEqual([path, []]);
  }
});
