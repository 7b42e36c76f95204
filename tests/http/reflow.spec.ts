import type { BrowserContext, Page } from '@playwright/test';
import { updateCharity } from '#shared/charities/admin-contract.ts';
import { createCharity } from '#shared/charities/contract.ts';
import { expect, screenHeading, test } from '../browser.ts';
import { charityBody } from '../charities/made-charities.ts';

const NARROWEST = { viewport: { width: 320, height: 640 } };

/** Doubles the font size like the browser settings do, so that rem widths follow. */
async function enlarge(context: BrowserContext, page: Page): Promise<void> {
  const browser = await context.newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
}

/** Expects that nothing is wider than the window, so that no one has to scroll in two directions. */
const expectToFit = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: page.url() })
    .toBeLessThanOrEqual(NARROWEST.viewport.width);

test('visitor screens fit the narrowest window with doubled text size', async ({
  browser,
  origin,
}) => {
  const context = await browser.newContext({ baseURL: origin, ...NARROWEST });
  const page = await context.newPage();
  await enlarge(context, page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Learn More' }).click();
  await expect(page.getByText('One hand is enough')).toBeVisible();
  await expectToFit(page);
  await page.goto('/access-code');
  await expectToFit(page);
  await page.getByRole('button', { name: 'No code? Donate $1' }).click();
  await expect(page.getByRole('button', { name: 'Donate with Google Pay' })).toBeVisible();
  await expectToFit(page);
  for (const path of ['/welcome', '/advertiser-signup', '/charity-signup', '/nothing-here']) {
    await page.goto(path);
    await expect(screenHeading(page)).toBeVisible();
    await expectToFit(page);
  }
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
  await enlarge(context, page);
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
