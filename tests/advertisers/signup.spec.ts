import { createAdvertiser, createTimedAd, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { fieldTime } from '../../client/advertisers/datetime-local.ts';
import { expect, expectAccessible, freshEmail, test } from '../browser.ts';

test('shows errors of the server and keeps the typed texts', async ({ page }) => {
  const alert = page.getByRole('alert').filter({ hasText: /./ }).first();
  const email = freshEmail('trouble');
  await page.goto('/advertiser-signup');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Company name').fill('Kibble & Co');
  await page.getByLabel('Contact name').fill('Kim Park');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Title').fill('Kibble');
  await page.getByLabel('Description').fill('Fresh');
  await page.getByLabel('Target URL').fill('kibble');
  const pay = page.getByRole('button', { name: 'Continue to payment' });
  await pay.click();
  // Missing fields are reported before invalid ones.
  await expect(page.getByText(TIMED_REQUIRED)).toBeVisible();
  await page.getByLabel('Target URL').fill('https://kibble.example/');
  await page
    .getByLabel('Scheduled start')
    .fill(fieldTime(new Date(Date.now() + 24 * 60 * 60 * 1000)));
  await page.route('**/api/advertisers', (route) => route.abort());
  await pay.click();
  await expect(alert).toContainText(createAdvertiser.failure);
  await page.unroute('**/api/advertisers');
  await page.route('**/api/advertisers', (route) =>
    route.fulfill({ status: 429, json: { error: 'Too many requests', code: 'rate_limited' } }),
  );
  await pay.click();
  await expect(alert).toHaveText('Too many requests');
  await page.unroute('**/api/advertisers');
  await page.route('**/api/advertiser-ads', (route) => route.abort());
  await pay.click();
  await expect(alert).toContainText(createTimedAd.failure);
  await expect(page.getByLabel('Title')).toHaveValue('Kibble');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('sends edits made after going back before payment, and continues the same ad with a corrected email', async ({
  page,
}) => {
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await page.goto('/advertiser-signup');
  await page.getByLabel('Email').fill(freshEmail('typo'));
  await page.getByLabel('Company name').fill('Kibble & Co');
  await page.getByLabel('Contact name').fill('Kim Park');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Title').fill('Kibble');
  await page.getByLabel('Description').fill('Fresh');
  await page.getByLabel('Target URL').fill('https://kibble.example/');
  const hours = 6_500 + Math.floor(Math.random() * 2_000);
  const start = fieldTime(new Date(Date.now() + hours * 60 * 60 * 1000));
  await page.getByLabel('Scheduled start').fill(start);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(heading('Payment')).toBeVisible();

  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Title').fill('Kibble, fresher');
  await page.goBack();
  await expect(page).toHaveURL('/advertiser-signup?step=details');
  await expect(page.getByLabel('Title')).toHaveValue('Kibble, fresher');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(heading('Payment')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Kibble, fresher' })).toBeVisible();

  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Email').fill(freshEmail('right'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(heading('Payment')).toBeVisible();
});

test('says that payments are unavailable before anything is filled in', async ({ page }) => {
  await page.route('**/api/google-pay/config', (route) =>
    route.fulfill({
      status: 503,
      json: { error: 'No payment configuration available', code: 'payments_off' },
    }),
  );
  await page.goto('/advertiser-signup');
  await expect(page.getByText('Payments are currently unavailable')).toBeVisible();
  await expectAccessible(page);
});

test('shows an error when the position is unavailable', async ({ page }) => {
  await page.goto('/advertiser-signup');
  await page.getByLabel('Email').fill(freshEmail('lost'));
  await page.getByLabel('Company name').fill('Kibble & Co');
  await page.getByLabel('Contact name').fill('Kim Park');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: /Location-based ad/ }).check();
  await page.getByRole('button', { name: 'Use my current location' }).click();
  await expect(page.getByText('Unable to get current location')).toBeVisible();
});
