import { getReferralStats } from '#shared/referrals/contract.ts';
import { expect, expectAccessible, freshEmail, position, test } from '../browser.ts';

const HERE = { latitude: 12.345, longitude: 6.789 };

test('someone who is invited by a link gets to the first walk in under 90 seconds', async ({
  owner,
  page,
  context,
}) => {
  const inviter = await owner({ name: 'Ann' });
  await inviter.page.goto('/social?tab=invitations');
  await inviter.page.getByRole('button', { name: /^(Share|Make) a link$/ }).click();
  const link = await inviter.page.getByLabel('Link for your friend').inputValue();
  await position(context, HERE);
  const began = Date.now();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Ann invited you' })).toBeVisible();
  await expect(page.getByLabel('Access code')).toHaveValue(/./);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Access Granted!')).toBeVisible();
  await page.getByRole('button', { name: 'Get Started with Google' }).click();
  await page.getByLabel('Use another email address').fill(freshEmail('invited'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Display name').fill('Ben');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Dog name').fill('Rex');
  await page.getByRole('radio', { name: 'Friendly' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Enable Location' }).click();
  // Whoever invited comes first.
  await page.getByRole('button', { name: 'Send Friend Request' }).click();
  await expect(page.getByText('Friend request pending')).toBeVisible();
  await page.getByRole('link', { name: 'Walk', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Ben' })).toBeVisible();
  await page.getByRole('button', { name: 'Start walk' }).click();
  await expect(page.getByText('Location tracking active')).toBeVisible();
  expect(Date.now() - began).toBeLessThan(90_000);
  const stats = await inviter.call(getReferralStats);
  expect(stats).toMatchObject({ successful_referrals: 1, codes_left: 4 });
  // Without a reload.
  await expect(
    inviter.page.getByRole('listitem').filter({ hasText: 'Someone you invited' }),
  ).toContainText('Used');
});
