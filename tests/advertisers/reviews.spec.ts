import type { Page } from '@playwright/test';
import { createAdvertiser, createLocationAd, payForAd } from '#shared/advertisers/contract.ts';
import { approveAdReview, listAdReviews } from '#shared/advertisers/review-contract.ts';
import type { Place } from '#shared/place.ts';
import { expect, expectAccessible, freshEmail, position, type Owner } from '../browser.ts';
import { testWith } from '../own-product.ts';
import { walletToken } from '../payments/pay.ts';

/** A product in which ads wait for an admin; in the others’ they run at once. */
const test = testWith({ AD_REVIEW: 'before' });

const PHONE = { width: 360, height: 740 };
const SPOT: Place = { latitude: 12.34, longitude: 56.78 };

/** A real user agent: views of headless browsers do not count. */
const userAgent =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36';

const expectNoOverflow = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

/** Creates and pays for a listing through the API. */
async function paidListing({ call }: Pick<Owner, 'call'>, origin: string, business_name: string) {
  const company = { company_name: 'Bones', contact_name: 'Lee', email: freshEmail('bones') };
  const { advertiser } = await call(createAdvertiser, { body: company });
  const text = { business_name, description: 'Bones of all sizes.', ...SPOT };
  const { advertisement } = await call(createLocationAd, {
    body: { advertiser_id: advertiser.id, ...text },
  });
  const payment_token = await walletToken({ origin }, 'pays');
  const paying = { advertiser_id: advertiser.id, advertisement_id: advertisement.id };
  await call(payForAd, { body: { ...paying, payment_token } });
  return advertisement.id;
}

test('an ad is seen once an admin approves it, and a change of it and another ad are refused', async ({
  admin,
  browser,
  device,
  origin,
  owner,
}) => {
  test.setTimeout(150_000);
  const name = `Biscuit ${freshEmail('x').slice(2, 10)}`;
  const context = await browser.newContext({ baseURL: origin, viewport: PHONE });
  await position(context, SPOT);
  const shop = await context.newPage();
  await shop.goto('/advertiser-signup');
  await shop.getByLabel('Email').fill(freshEmail('biscuit'));
  await shop.getByLabel('Company name').fill('Biscuit & Co');
  await shop.getByLabel('Contact name').fill('Kim Park');
  await shop.getByRole('button', { name: 'Continue' }).click();
  await shop.getByRole('radio', { name: /Location-based ad/ }).check();
  await shop.getByLabel('Business name').fill(name);
  await shop.getByLabel('Description').fill('Fresh biscuits every morning.');
  await shop.getByRole('button', { name: 'Use my current location' }).click();
  await expect(shop.getByLabel('Latitude')).toHaveValue('12.340000');
  await shop.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(shop.getByText('We’ll review your ad before it goes live.')).toBeVisible();
  await shop.getByRole('button', { name: 'Pay with Google Pay' }).click();
  const sheet = shop.getByRole('dialog', { name: 'Simulated Google Pay' });
  await sheet.getByRole('button', { name: 'Pay $100.00', exact: true }).click();
  await expect(shop.getByRole('heading', { name: 'Advertisement Scheduled!' })).toBeVisible();
  const steps = shop.getByRole('listitem');
  await expect(
    steps.filter({ hasText: 'We’ll review your ad before it goes live.' }),
  ).toBeVisible();
  await expect(steps.filter({ hasText: 'as soon as we approve it' })).toBeVisible();
  await expectAccessible(shop);
  await expectNoOverflow(shop);
  await shop.getByRole('link', { name: 'advertiser dashboard' }).click();
  const dashboard = shop.getByRole('article', { name });
  await expect(dashboard).toContainText('In review');
  await expect(dashboard).toContainText('Your ad is being reviewed');

  const sam = await owner({ name: 'Sam', at: SPOT, context: { userAgent } });
  const sponsored = sam.page.getByRole('region', { name: 'Sponsored businesses' });
  // Search results are cached for half a minute. The button reloads them, unless the position isn’t known yet.
  const look = () =>
    expect(async () => {
      await sam.page.goto('/locations');
      const answered = sam.page.waitForResponse(/\/api\/locations\/search/, { timeout: 5_000 });
      await sam.page.getByRole('search').getByRole('button', { name: 'Search' }).click();
      await answered;
    }).toPass();
  await look();
  await expect(sponsored).toHaveCount(0);

  // The queue shows the ad as members see it.
  const { page } = await device({ email: 'admin@example.com' });
  await page.setViewportSize(PHONE);
  await page.goto('/admin?tab=advertisers');
  await page.getByRole('tab', { name: /^Review \d+ waiting/ }).click();
  const card = page.getByRole('article', { name });
  await expect(card.getByRole('figure')).toContainText('SponsoredBiscuit');
  await expect(card).toContainText('$100.00 a month');
  await expect(card).toContainText('New ad');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await card.getByRole('button', { name: `Approve ${name}` }).click();
  await expect(page.getByText(`“${name}” is approved`)).toBeVisible();
  await expect(card).toHaveCount(0);
  await shop.reload();
  await expect(dashboard).toContainText('Your ad is approved');

  // An owner sees the approved ad, and the advertiser sees that view.
  const viewed = sam.page.waitForResponse('**/api/ad-impressions');
  await look();
  await expect(sponsored).toContainText('Fresh biscuits every morning.');
  // The list is drawn again when the search ends.
  await expect(() =>
    sponsored.getByRole('heading', { name }).scrollIntoViewIfNeeded({ timeout: 5_000 }),
  ).toPass();
  expect((await viewed).ok()).toBe(true);
  await shop.reload();
  // The views of a listing are shown the day after, in tens.
  await expect(dashboard.getByLabel(`Stats for ${name}`)).toContainText('Impressions0');

  // A change is shown next to the approved version and rejected with a predefined reason.
  await dashboard.getByRole('button', { name: 'Edit' }).click();
  const editor = shop.getByRole('dialog', { name: 'Edit' });
  await editor.getByLabel('Description').fill('Biscuits that make you rich.');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(dashboard).toContainText('Your change is being reviewed');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  const before = card.getByRole('figure').filter({ hasText: 'Before' });
  const after = card.getByRole('figure').filter({ hasText: 'After' });
  await expect(before).toContainText('Fresh biscuits every morning.');
  await expect(after).toContainText('Biscuits that make you rich. (changed)');
  await expectAccessible(page);
  await card.getByRole('button', { name: `Reject ${name}` }).click();
  const refusing = page.getByRole('dialog', { name: 'Reject change' });
  await refusing.getByLabel('Common reasons').selectOption('The ad is misleading.');
  await expectAccessible(page);
  await refusing.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(page.getByText(`“${name}” is rejected`)).toBeVisible();
  await expect(card).toHaveCount(0);
  await shop.reload();
  await expect(dashboard).toContainText('Your change was rejected');
  await expect(dashboard).toContainText('The ad is misleading.');
  await expect(dashboard).toContainText('Fresh biscuits every morning.');
  await expectNoOverflow(shop);

  // Another admin is faster. Then another ad is refused and refunded.
  const bones = `${name} bones`;
  const params = { id: await paidListing(sam, origin, bones) };
  const { page: second } = await device({ email: 'admin@example.com' });
  await second.goto('/admin?tab=advertisers&view=review');
  const other = second.getByRole('article', { name: bones });
  await other.getByRole('button', { name: `Reject ${bones}` }).click();
  const form = second.getByRole('dialog', { name: 'Reject ad' });
  await admin.call(approveAdReview, { params, body: { version: 1 } });
  await form.getByLabel('Reason', { exact: true }).fill('It sells what hurts dogs.');
  await form.getByRole('button', { name: 'Reject and refund $100.00' }).click();
  await expect(form).toContainText('admin@example.com already approved this');
  await expect(form.getByLabel('Reason', { exact: true })).toHaveValue('It sells what hurts dogs.');
  await second.goBack();
  const third = `${name} balls`;
  await paidListing(sam, origin, third);
  await second.reload();
  await second.getByRole('button', { name: `Reject ${third}` }).click();
  await form.getByLabel('Reason', { exact: true }).fill('It sells what hurts dogs.');
  await form.getByRole('button', { name: 'Reject and refund $100.00' }).click();
  await expect(second.getByText(`“${third}” is rejected`)).toBeVisible();
  await look();
  await expect(sponsored).toContainText(bones);
  await expect(sponsored).not.toContainText(third);
  const { items } = await admin.call(listAdReviews);
  expect(items.filter(({ ad }) => ad.id === params.id)).toEqual([]);
  await context.close();
});
