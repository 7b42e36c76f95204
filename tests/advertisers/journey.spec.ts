import type { Page } from '@playwright/test';
import { sendDashboardLink } from '#shared/advertisers/dashboard-contract.ts';
import type { Place } from '#shared/place.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { expect, expectAccessible, freshEmail, position, test } from '../browser.ts';

const PHONE = { width: 360, height: 740 };
const PARK: Place = { latitude: 40.78, longitude: -73.97 };
/** A real user agent: views of headless browsers do not count. */
const userAgent =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36';

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Simulated Google Pay' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const alerts = (page: Page) => page.getByRole('alert').filter({ hasText: /./ });

const expectNoOverflow = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

async function enterCompany(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Company name').fill('Kibble & Co');
  await page.getByLabel('Contact name').fill('Kim Park');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(heading(page, 'Advertisement Details')).toBeFocused();
}

/** Returns the local time in this many minutes, formatted for a date field. */
const fieldTime = (page: Page, minutes: number) =>
  page.evaluate((ahead) => {
    const time = new Date(Date.now() + ahead * 60_000);
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }, minutes);

/** Returns the form with a start in 15 seconds, so that the test can wait for it. */
function startingSoon(form: Buffer | null): Buffer {
  const text = form?.toString('latin1') ?? '';
  const soon = new Date(Date.now() + 15_000).toISOString();
  return Buffer.from(text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, soon), 'latin1');
}

/** Opens the wallet sheet and chooses the payment result. */
async function choose(page: Page, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Pay with Google Pay' }).click();
  await sheet(page).getByRole('button', { name: choice, exact: true }).click();
}

test('an advertiser signs up, pays, and sees the views and clicks of the ad in the dashboard', async ({
  browser,
  origin,
  owner,
}) => {
  test.setTimeout(150_000);
  const context = await browser.newContext({ baseURL: origin, viewport: PHONE });
  const page = await context.newPage();
  const email = freshEmail('shop');
  await page.goto('/');
  await page.getByRole('link', { name: 'Advertise With Us' }).click();
  await expect(heading(page, 'Company Information')).toBeVisible();

  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(alerts(page).last()).toHaveText('Please fill in all required fields');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await enterCompany(page, email);
  await expect(page).toHaveURL('/advertiser-signup?step=details');

  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(alerts(page).last()).toHaveText('Please fill in all advertisement details');
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByLabel('Title').fill('Kibble, fresh');
  await page.getByLabel('Description').fill('Around the corner from the park.');
  await page.getByLabel('Target URL').fill(`${origin}/no/such/page`);
  await page.getByLabel('Placement').selectOption('inline');
  // The missing time has opened its field.
  await page.getByLabel('Scheduled start').fill(await fieldTime(page, -60));
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(alerts(page).last()).toHaveText('Scheduled start time must be in the future');
  const picker = page.locator('input[type=file]');
  await picker.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await expect(page.getByText('Please select an image file')).toBeVisible();
  const large = { name: 'b.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) };
  await picker.setInputFiles(large);
  await expect(page.getByText('Image size must be less than 5MB')).toBeVisible();
  await picker.setInputFiles('client/public/icons/icon-512.png');
  await page.getByRole('button', { name: 'Remove icon-512.png' }).click();
  await expect(picker).toBeFocused();
  await picker.setInputFiles('client/public/icons/icon-192.png');
  await expect(page.getByRole('figure')).toContainText('Kibble, fresh');
  await page.getByLabel('Scheduled start').fill(await fieldTime(page, 1_440));
  await expect(page.getByText('Available from')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  // The form keeps its texts and image.
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Kibble, fresh');
  await expect(page.getByRole('button', { name: 'Remove icon-192.png' })).toBeVisible();
  let form = '';
  await page.route('**/api/advertiser-ads', (route) => {
    form = route.request().postDataBuffer()?.toString('latin1') ?? '';
    return route.continue();
  });
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(heading(page, 'Payment')).toBeFocused();
  await page.unroute('**/api/advertiser-ads');
  expect(form).toMatch(/name="duration_hours"\r\n\r\n4\r\n/);
  // What is bought, its price and the button are in view together, on a computer, too.
  for (const size of [PHONE, { width: 1280, height: 800 }]) {
    await page.setViewportSize(size);
    for (const part of [
      heading(page, 'Kibble, fresh'),
      page.getByText('$200.00'),
      page.getByRole('button', { name: 'Pay with Google Pay' }),
    ])
      await expect(part).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Placement')).toHaveValue('inline');
  await page.goBack();
  await expect(heading(page, 'Payment')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay with Google Pay' })).toBeVisible();
  await expectAccessible(page);

  await choose(page, 'Cancel');
  await expect(alerts(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Pay with Google Pay' })).toBeFocused();
  await choose(page, 'Wallet error');
  await expect(alerts(page)).toContainText('Payment failed');
  await choose(page, 'Pay with a declined card');
  await expect(alerts(page)).toContainText('Payment failed: The card was declined.');
  await expectNoOverflow(page);

  // The request is changed to a start within seconds, so that the test does not wait a day.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.route('**/api/advertiser-ads', (route) =>
    route.continue({ postData: startingSoon(route.request().postDataBuffer()) }),
  );
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await choose(page, 'Pay $200.00');
  await expect(heading(page, 'Advertisement Scheduled!')).toBeFocused();
  for (const words of [email, 'goes live on', 'It runs for 4 hours', 'advertiser dashboard'])
    await expect(page.getByRole('listitem').filter({ hasText: words })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  await page.getByRole('link', { name: 'advertiser dashboard' }).click();
  const card = page.getByRole('article', { name: 'Kibble, fresh' });
  await expect(card).toContainText('$200.00');
  await expectAccessible(page);
  await expectNoOverflow(page);

  // An owner sees the ad once it has started.
  const sam = await owner({ name: 'Sam', context: { userAgent } });
  const between = sam.page.getByRole('region', { name: 'Sponsor (between items)' });
  // It may be counted as soon as it is there.
  const counted = sam.page.waitForResponse('**/api/ad-impressions', { timeout: 90_000 });
  await expect(async () => {
    await sam.page.goto('/home');
    await expect(sam.page.getByRole('region', { name: 'My Dogs' })).toContainText('Bella');
    // A slot loads its ad when it comes near the viewport.
    await sam.page.mouse.wheel(0, 5_000);
    // The ad may replace the tip at that moment.
    const slot = between.or(sam.page.getByText('a wide arc')).first();
    await slot.scrollIntoViewIfNeeded({ timeout: 2_000 }).catch(() => {});
    await expect(between).toContainText('Kibble, fresh', { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  await expect
    .poll(() =>
      between.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(192);
  await between.scrollIntoViewIfNeeded();
  await counted;
  const opened = sam.context.waitForEvent('page');
  const clicked = sam.page.waitForResponse('**/api/paid-ad-clicks');
  await between.getByRole('link').click();
  await (await opened).close();
  await clicked;

  await page.reload();
  await expect(card).toContainText('Active');
  const stats = card.getByLabel('Stats for Kibble, fresh');
  // Owners of other tests may have seen the ad, too.
  await expect(stats).toContainText(/Impressions[1-9]\d*Clicks1Click rate[\d.]+%Spend\$200\.00/u);
  const [impressions, , rate] = await stats.getByRole('definition').allInnerTexts();
  expect(Number.parseFloat(rate!)).toBeCloseTo(100 / Number(impressions), 0);
  await expect(card.getByRole('button', { name: 'Cancel ad' })).toHaveCount(0);

  // The paid ad is complete, so the company starts another one.
  await page.getByRole('link', { name: 'Book an ad' }).click();
  await expect(heading(page, 'Company Information')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await context.close();
});

test('a payment without a response is not requested again, and the emailed link opens the dashboard anywhere', async ({
  browser,
  origin,
}) => {
  const context = await browser.newContext({ baseURL: origin, viewport: PHONE });
  await position(context, PARK);
  let page = await context.newPage();
  const email = freshEmail('cafe');
  await page.goto('/advertiser-signup');
  await enterCompany(page, email);
  await page.getByRole('radio', { name: /Location-based ad/ }).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(alerts(page).last()).toHaveText('Please fill in all location advertisement details');
  await page.getByLabel('Business name').fill('Paws & Coffee');
  await page.getByLabel('Description').fill('Water bowls under every table.');
  await page.getByRole('button', { name: 'Use my current location' }).click();
  await expect(page.getByLabel('Latitude')).toHaveValue('40.780000');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByText('$100.00')).toBeVisible();

  // The bank charges, but the response and every status check get lost. Then the tab is closed.
  await page.route('**/api/advertiser-payments/check', (route) => route.abort());
  await choose(page, 'Pay, but the response is lost');
  await expect(page.getByText('Checking your payment…')).toBeVisible();
  await expect(alerts(page)).toContainText('Payment completed but failed to process');
  await expectAccessible(page);
  await page.close();
  page = await context.newPage();
  await page.goto('/advertiser-signup');
  await expect(heading(page, 'Advertisement Scheduled!')).toBeVisible();
  await expect(page.getByText('It’s active for 30 days.')).toBeVisible();
  await page.getByRole('button', { name: 'Return to Main App' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/advertiser-signup');
  await expect(page.getByLabel('Email')).toHaveValue('');
  await context.close();

  // In another browser, with only the link.
  const other = await browser.newContext({ baseURL: origin });
  const dashboard = await other.newPage();
  await dashboard.goto('/advertiser');
  await dashboard.getByLabel('Email').fill(email);
  await dashboard.getByRole('button', { name: 'Send me a link' }).click();
  await expect(dashboard.getByText(`If there are ads for ${email}`)).toBeVisible();
  await expectAccessible(dashboard);
  const sent = async () =>
    (await (await dashboard.request.get('/api/dev/sent')).text())
      .split('<article>')
      .find((each) => each.includes(email) && each.includes('Your advertiser dashboard')) ?? '';
  await expect.poll(sent).toContain('/advertiser#');
  const token = /\/advertiser#([\w.-]+)/.exec(await sent())?.[1] ?? '';
  await dashboard.goto('/');
  await dashboard.goto(`/advertiser#${token}`);
  const card = dashboard.getByRole('article', { name: 'Paws & Coffee' });
  await expect(card).toContainText('Active');
  await expect(dashboard).toHaveURL('/advertiser');
  await card.getByRole('button', { name: 'Edit' }).click();
  const editor = dashboard.getByRole('dialog', { name: 'Edit' });
  await editor.getByLabel('Description').fill('Bowls, and shade.');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('Bowls, and shade.');
  await card.getByRole('switch', { name: 'Show Paws & Coffee' }).click();
  await expect(card).toContainText('Paused');
  await card.getByRole('button', { name: 'Renew for $100.00' }).click();
  await choose(dashboard, 'Pay $100.00');
  await expect(card).toContainText('$200.00');

  // Revokes all links.
  await dashboard.getByRole('button', { name: 'Turn off all links' }).click();
  await expect(dashboard.getByRole('button', { name: 'Send me a link' })).toBeVisible();
  await dashboard.goto('/');
  await dashboard.goto(`/advertiser#${token}`);
  await expect(dashboard.getByText('This link has expired or is incomplete.')).toBeVisible();
  // A link that is changed while the page is open says the same.
  await dashboard.goto('/advertiser');
  await expect(dashboard.getByRole('button', { name: 'Send me a link' })).toBeVisible();
  await expect(dashboard.getByText('This link has expired or is incomplete.')).toBeHidden();
  await dashboard.goto('/advertiser#cut-off');
  await expect(dashboard.getByText('This link has expired or is incomplete.')).toBeVisible();
  // The answer does not reveal who advertises.
  const call = caller({ origin });
  expect(await call(sendDashboardLink, { body: { email: freshEmail('nobody') } })).toEqual({});
  await other.close();
});
