import { createAdvertiser, createTimedAd } from '#shared/advertisers/contract.ts';
import { expect, freshEmail, test } from '../browser.ts';

test('what the server does not take is said, and what was typed stays', async ({ page }) => {
  const alert = page.getByRole('alert').filter({ hasText: /./ }).first();
  const email = freshEmail('trouble');
  await page.goto('/advertiser-signup');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Company name').fill('Kibble & Co');
  await page.getByLabel('Contact name').fill('Kim Park');
  await page.route('**/api/advertisers', (route) => route.abort());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(alert).toContainText(createAdvertiser.failure);
  await page.unroute('**/api/advertisers');
  await page.route('**/api/advertisers', (route) =>
    route.fulfill({ status: 429, json: { error: 'Too many requests', code: 'rate_limited' } }),
  );
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(alert).toHaveText('Too many requests');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.unroute('**/api/advertisers');
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByLabel('Title').fill('Kibble');
  await page.getByLabel('Description').fill('Fresh');
  await page.getByLabel('Target URL').fill('https://kibble.example/');
  await page.getByLabel('Scheduled start').fill('2027-06-01T10:00');
  await page.route('**/api/advertiser-ads', (route) => route.abort());
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(alert).toContainText(createTimedAd.failure);
  await expect(page.getByLabel('Title')).toHaveValue('Kibble');
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
