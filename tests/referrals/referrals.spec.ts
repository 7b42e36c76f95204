import type { Page } from '@playwright/test';
import { getReferralStats } from '#shared/referrals/contract.ts';
import { expect, expectAccessible, freshEmail, loginUrl, test } from '../browser.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Refer Friends' });
const send = (page: Page) => page.getByRole('button', { name: 'Send invitation' });

test('an owner invites a friend by email, and the friend joins through the email', async ({
  owner,
  browser,
  origin,
  makeCode,
}) => {
  const { page, call } = await owner({ name: 'Robin' });
  const friend = freshEmail('friend');
  await page.goto('/home');
  await page.getByRole('link', { name: 'Refer Friends' }).click();
  await expect(dialog(page)).toBeVisible();
  await page.goBack();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole('link', { name: 'Refer Friends' }).click();

  await page.getByRole('tab', { name: 'Email' }).click();
  const address = page.getByLabel('Friend’s email');
  await send(page).click();
  await expect(address).toHaveAccessibleDescription('Email address is required');
  await expect(address).toBeFocused();
  await address.fill('kim@');
  await send(page).click();
  await expect(address).toHaveAccessibleDescription('Invalid email');
  await expectAccessible(page);
  await address.fill(friend);
  await page.getByLabel('Message').fill('Rex misses you');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Referral sent successfully via email!');
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL('/home');

  // The friend reads the email in the sandbox.
  const stranger = await browser.newContext({ baseURL: origin });
  const inbox = await stranger.newPage();
  const email = inbox.getByRole('article').filter({ hasText: friend });
  await expect(async () => {
    await inbox.goto('/api/dev/sent');
    await expect(email).toContainText('Rex misses you', { timeout: 1_000 });
  }).toPass();
  await expectAccessible(inbox);
  await email.getByRole('link', { name: '/?ref=' }).click();
  await expect(inbox.getByRole('heading', { name: 'Robin invited you' })).toBeVisible();
  // Another code than that of the invitation counts, too.
  await inbox.getByLabel('Access code').fill(await makeCode());
  await inbox.getByRole('button', { name: 'Continue' }).click();
  await expect(inbox.getByText('Access Granted!')).toBeVisible();
  await expect.poll(async () => (await call(getReferralStats)).successful_referrals).toBe(1);
  await inbox.goto('/api/dev/sent');
  await email.getByRole('link', { name: '/api/unsubscribe/' }).click();
  await expectAccessible(inbox);
  await inbox.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(inbox.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible();
  await expectAccessible(inbox);
  await stranger.close();

  await page.goto('/home?open=refer-friends');
  await page.getByText('Latest invitations').click();
  await expect(page.getByRole('listitem').filter({ hasText: friend })).toContainText('Joined');
  await expectAccessible(page);
});

test('the referrer gets credit after the friend signs in when the network failed at the gate', async ({
  owner,
  page,
  context,
  origin,
  makeCode,
}) => {
  const referrer = await owner({ name: 'Robin' });
  await page.goto(`/?ref=${referrer.user.id}`);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('referrer')))
    .toContain(referrer.user.id);
  await page.route('**/api/referrals/track-access', (route) => route.abort());
  await page.goto('/access-code');
  await page.getByLabel('Access code').fill(await makeCode());
  const lost = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Continue' }).click();
  await lost;
  await expect(page).toHaveURL('/welcome');
  await page.unroute('**/api/referrals/track-access');
  await page.goto(await loginUrl(context, origin, freshEmail('friend')));
  await expect(page).toHaveURL('/onboarding');
  await expect
    .poll(async () => (await referrer.call(getReferralStats)).successful_referrals)
    .toBe(1);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('referral_report'))).toBeNull();
  expect(await page.evaluate(() => localStorage.getItem('referrer'))).toBeNull();
});

test('copies or shares a link without sending anything', async ({ owner, origin }) => {
  const { page, context, user } = await owner();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    navigator.share = async (data) => void shared.push(data ?? {});
  });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname);
  });
  await page.goto('/home?open=refer-friends');
  await page.getByRole('tab', { name: 'Link' }).click();
  const link = `${origin}/?ref=${user.id}`;
  // The link that carries a code comes first.
  await expect(page.getByRole('region', { name: 'A link for one friend' })).toBeVisible();
  await page.getByText('Your own link, without a code').click();
  await expect(page.getByLabel('Your link')).toHaveValue(link);
  const copy = page.getByRole('button', { name: 'Copy link' });
  await copy.click();
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expectAccessible(page);
  await expect(copy).toBeVisible();
  await page.getByRole('button', { name: 'Share link…' }).click();
  expect(await page.evaluate(() => (window as unknown as { shared: object[] }).shared)).toEqual([
    { title: 'Leashwise', text: 'Walk with me on Leashwise.', url: link },
  ]);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
  });
  await copy.click();
  await expect(page.getByText('you can copy it yourself')).toBeVisible();
  expect(calls).not.toContain('/api/referrals');
});
