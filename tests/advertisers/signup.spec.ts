import { createAdvertiser, createTimedAd, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { fieldTime } from '../../client/advertisers/field-time.ts';
import { expect, freshEmail, test } from '../browser.ts';

test('what the server does not take is said, and what was typed stays', async ({ page }) => {
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
  // What is missing comes before what is wrong.
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

test('a position that cannot be had is said', async ({ page }) => {
  await page.goto('/advertiser-signup');
  await page.getByLabel('Email').fill(freshEmail('lost'));
  await page.getByLabel('Company name').fill('Kibble & Co');
  await page.getByLabel('Contact name').fill('Kim Park');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: /Location-based ad/ }).check();
  await page.getByRole('button', { name: 'Use my current location' }).click();
  await expect(page.getByText('Unable to get current location')).toBeVisible();
});
