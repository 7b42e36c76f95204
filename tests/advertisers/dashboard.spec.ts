import type { Page } from '@playwright/test';
import {
  createAdvertiser,
  createLocationAd,
  createTimedAd,
  payForAd,
} from '#shared/advertisers/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { expect, expectAccessible, freshEmail, test } from '../browser.ts';
import { walletToken } from '../payments/pay.ts';
import { company, HOUR_MS, localFields, timedFields } from './sign-up.ts';

/** Calls the API with the cookies of this page. */
async function ask<Answer>(page: Page, { path }: Endpoint, data: object): Promise<Answer> {
  const answer = await page.request.post(`/api${path}`, { data });
  expect(answer.ok()).toBe(true);
  return (await answer.json()) as Answer;
}

/** Signs up an advertiser and creates an unpaid ad. */
async function advertise(page: Page, endpoint: Endpoint, fields: object) {
  const who = { ...company, email: freshEmail('dashboard') };
  const { advertiser } = await ask<{ advertiser: { id: string } }>(page, createAdvertiser, who);
  const body = { ...fields, advertiser_id: advertiser.id };
  const made = await ask<{ advertisement: { id: string | number } }>(page, endpoint, body);
  return { advertiser_id: advertiser.id, advertisement_id: made.advertisement.id };
}

/** Opens the wallet sheet and pays. */
async function payIn(page: Page, price: string): Promise<void> {
  await page.getByRole('button', { name: 'Pay with Google Pay' }).click();
  const sheet = page.getByRole('dialog', { name: 'Simulated Google Pay' });
  await sheet.getByRole('button', { name: `Pay ${price}`, exact: true }).click();
}

test('returning to the URL of a paid renewal does not ask for another payment', async ({
  page,
  origin,
}) => {
  const ad = await advertise(page, createLocationAd, localFields());
  await ask(page, payForAd, { ...ad, payment_token: await walletToken({ origin }, 'pays') });
  await page.goto('/advertiser');
  const card = page.getByRole('article', { name: 'Paws & Coffee' });
  const renewal = page.getByRole('region', { name: 'Renew for 30 days' });
  await card.getByRole('button', { name: 'Renew for $100.00' }).click();
  await expect(renewal).toBeFocused();
  await expectAccessible(page);
  await renewal.getByRole('button', { name: 'Not now' }).click();
  await expect(card.getByRole('button', { name: 'Renew for $100.00' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(renewal).toBeInViewport({ ratio: 1 });
  const address = page.url();
  await payIn(page, '$100.00');
  await expect(card).toContainText('$200.00');
  await expect(renewal).toHaveCount(0);

  await page.goto(address);
  await expect(card).toContainText('$200.00');
  await expect(renewal).toHaveCount(0);
  await card.getByRole('button', { name: 'Renew for $100.00' }).click();
  await expect(renewal).toBeVisible();
});

test('an ad created elsewhere is paid and canceled from the dashboard', async ({ page }) => {
  const hours = 2_000 + Math.floor(Math.random() * 4_000);
  const start = new Date(Date.now() + hours * HOUR_MS).toISOString();
  await advertise(page, createTimedAd, timedFields({ scheduled_start_at: start }));
  await page.goto('/advertiser');
  const card = page.getByRole('article', { name: 'Kibble, fresh' });
  await expect(card).toContainText('Not paid');
  await card.getByRole('button', { name: 'Pay $200.00' }).click();
  await expect(page.getByRole('region', { name: 'Pay for this ad' })).toBeVisible();
  await expectAccessible(page);
  await payIn(page, '$200.00');
  await expect(card).toContainText('Scheduled');
  await expect(card.getByRole('button', { name: /^Pay/ })).toHaveCount(0);

  await card.getByRole('button', { name: 'Cancel ad' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel ad' }).click();
  await expect(page.getByText('Ad cancelled. Your refund is on its way.')).toBeVisible();
  await expect(card).toContainText('Cancelled');
});
