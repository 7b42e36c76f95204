import type { Page } from '@playwright/test';
import { expect, expectAccessible, freshEmail, loginUrl, test } from '../browser.ts';

const PHONE = { width: 360, height: 740 };

const storedDonationId = (page: Page) => page.evaluate(() => localStorage.getItem('donation_id'));
const payButton = (page: Page) => page.getByRole('button', { name: 'Donate with Google Pay' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Simulated Google Pay' });

/** Opens the panel and the wallet's sheet, and chooses the payment's result. */
async function choose(page: Page, choice: string): Promise<void> {
  await payButton(page).click();
  await sheet(page).getByRole('button', { name: choice, exact: true }).click();
}

async function openPanel(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.goto('/access-code');
  await page.getByRole('button', { name: 'No code? Donate $1' }).click();
  await expect(payButton(page)).toBeVisible();
}

const expectNoOverflow = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );

test('a visitor donates a dollar, gets access and then signs in', async ({
  page,
  context,
  origin,
}) => {
  await page.setViewportSize(PHONE);
  let releaseConfig = () => {};
  const isReleased = new Promise<void>((go) => {
    releaseConfig = go;
  });
  await page.route('**/api/google-pay/config', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/access-code');
  const toggle = page.getByRole('button', { name: 'No code? Donate $1' });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  // The wallet isn't loaded before the panel opens.
  expect(await page.evaluate(() => 'google' in window)).toBe(false);
  await toggle.focus();
  await page.keyboard.press('Enter');
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('button', { name: 'Google Pay Loading...' })).toBeDisabled();
  releaseConfig();
  await expect(payButton(page)).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  const made = page.waitForRequest('**/api/donations');
  const processed = page.waitForRequest('**/api/donations/process');
  await payButton(page).click();
  await expect(sheet(page)).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await expect(page.getByRole('button', { name: 'Processing Payment...' })).toBeDisabled();
  await sheet(page).getByRole('button', { name: 'Pay $1.00' }).click();
  expect((await made).postDataJSON()).toEqual({ amount_cents: 100, currency: 'USD' });
  const sent = (await processed).postDataJSON() as Record<string, string>;
  expect(Object.keys(sent).toSorted()).toEqual(['donation_id', 'payment_token']);
  expect(sent['payment_token']).toContain('ECv2');
  await expect(page.getByText('Access Granted!')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'You’re in' })).toBeFocused();
  expect(await page.evaluate(() => localStorage.getItem('access_verified'))).toBe('true');
  expect(await storedDonationId(page)).toBeNull();
  const code = /^Code (\S+), access until/.exec(
    await page.getByText(/^Code .*, access until/).innerText(),
  )?.[1];
  await expect(page.getByText('You’ll find your code under You.')).toBeVisible();
  // As with a code; who isn't signed in signs in.
  await expect(page).toHaveURL('/welcome');
  await page.goto(await loginUrl(context, origin, freshEmail('donor')));
  await expect(page).toHaveURL('/onboarding');
  await page.goto('/you');
  await page.getByRole('link', { name: /^Settings/ }).click();
  await page.getByRole('link', { name: /^Account/ }).click();
  await expect(page.getByText(code ?? 'no code', { exact: true })).toBeVisible();
});

test('canceled, failed and declined payments charge nothing and can be retried', async ({
  page,
}) => {
  await openPanel(page);
  await choose(page, 'Cancel');
  await expect(payButton(page)).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  // Escape closes the sheet like any other.
  await payButton(page).click();
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await expect(payButton(page)).toBeFocused();

  const problem = page.getByRole('alert').filter({ hasText: 'You weren’t charged' });
  await choose(page, 'Wallet error');
  await expect(problem).toContainText('Payment failed');
  await choose(page, 'Pay with a declined card');
  await expect(problem).toContainText('Payment processing failed');
  await expect(problem).toContainText('The card was declined');
  await expectAccessible(page);
  expect(await storedDonationId(page)).toBeNull();

  await page.route('**/api/donations', (route) => route.abort());
  await choose(page, 'Pay $1.00');
  await expect(problem).toContainText('Failed to create donation record');
  await page.unroute('**/api/donations');

  await choose(page, 'Pay, but the bank never answers');
  await expect(problem).toContainText('The payment didn’t go through');
  expect(await storedDonationId(page)).toBeNull();
  await choose(page, 'Pay $1.00');
  await expect(page.getByText('Access Granted!')).toBeVisible();
});

test('a visitor whose payment got no response gets access without paying again, after a reload and in a new tab', async ({
  context,
}) => {
  const page = await context.newPage();
  await openPanel(page);
  // The bank charged, the API got no response, and each check fails.
  await page.route('**/api/donations/check', (route) => route.abort());
  await choose(page, 'Pay, but the response is lost');
  await expect(page.getByText('Checking your payment…')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.reload();
  await expect(page.getByText('Checking your payment…')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await page.close();

  const later = await context.newPage();
  await later.goto('/access-code');
  await expect(later.getByText('Access Granted!')).toBeVisible();
  expect(await storedDonationId(later)).toBeNull();
});

test('grants access after the network drops mid-payment and the code arrives late', async ({
  page,
  context,
}) => {
  await openPanel(page);
  // The payment succeeds, but its response and the network are lost.
  await page.route('**/api/donations/process', async (route) => {
    await route.fetch();
    await context.setOffline(true);
    await route.abort();
  });
  await choose(page, 'Pay $1.00');
  await expect(page.getByText('Checking your payment…')).toBeVisible();
  await page.unroute('**/api/donations/process');

  // Online again, the code is missing at first, and then the first call to the gate fails.
  let isThere = false;
  await page.route('**/api/donations/check', async (route) => {
    if (isThere) return route.continue();
    await route.fulfill({ json: { payment_status: 'completed', access_code: null } });
  });
  let entered = 0;
  await page.route('**/api/access-codes/validate', async (route) => {
    entered += 1;
    if (entered > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await context.setOffline(false);
  await expect(page.getByText('Payment completed but access code not generated')).toBeVisible();
  await expectAccessible(page);
  isThere = true;
  await expect(page.getByText('Access Granted!')).toBeVisible();
  expect(entered).toBe(2);
});

test('says when donations are unavailable, and access codes still work', async ({
  page,
  makeCode,
}) => {
  await page.setViewportSize(PHONE);
  await page.route('**/api/google-pay/config', (route) =>
    route.fulfill({
      status: 503,
      json: { error: 'No payment configuration available', code: 'payments_off' },
    }),
  );
  await page.goto('/access-code');
  await page.getByRole('button', { name: 'No code? Donate $1' }).click();
  await expect(page.getByText('We’re not taking donations right now.')).toBeVisible();
  await page.unroute('**/api/google-pay/config');
  await page.route('**/api/google-pay/config', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'No code? Donate $1' }).click();
  await expect(page.getByText('Couldn’t load Google Pay')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/google-pay/config');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(payButton(page)).toBeVisible();
  await page.getByLabel('Access code').fill(await makeCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Access Granted!')).toBeVisible();
});
