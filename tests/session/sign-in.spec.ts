import { me } from '#shared/session/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { expect, expectAccessible, freshEmail, loginUrl, test } from '../browser.ts';

test('a failed sign-in shows an error and starts over', async ({ page }) => {
  await page.goto('/auth/callback?code=made-up&state=made-up');
  await expect(page.getByText('Authentication Error').last()).toBeVisible();
  await expect(page.getByText('Authentication failed. Please try again.')).toBeVisible();
  await expectAccessible(page);
  await expect(page).toHaveURL('/welcome');
});

test('exchanges a sign-in code once, and the code does not work again', async ({
  page,
  context,
  origin,
}) => {
  const exchanges: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/sessions')) exchanges.push(response.status());
  });
  let back = '';
  page.on('framenavigated', (frame) => {
    if (frame.url().includes('/auth/callback')) back = frame.url();
  });
  await page.goto(await loginUrl(context, origin, freshEmail('newcomer')));
  // The new user has no access yet.
  await expect(page).toHaveURL('/access-code');
  expect(exchanges).toEqual([200]);
  await page.goto(back);
  await expect(page.getByText('Authentication failed. Please try again.')).toBeVisible();
  expect(exchanges.slice(1).every((status) => status >= 400)).toBe(true);
  expect(exchanges).toHaveLength(2);
});

test('shows a status while the sign-in code is exchanged', async ({ page }) => {
  let answer: () => void = () => {};
  const isReleased = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/sessions', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/auth/callback?code=slow');
  await expect(page.getByText('Setting up your account...')).toBeVisible();
  await expectAccessible(page);
  answer();
  await expect(page.getByText('Authentication failed. Please try again.')).toBeVisible();
});

test('a returning owner goes to the dashboard, and a logout ends the session on the server and in each tab', async ({
  owner,
  page,
  context,
  origin,
}) => {
  const { email } = await owner({ name: 'Alex' });
  await page.goto(await loginUrl(context, origin, email));
  await expect(page).toHaveURL('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Alex' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/home');
  await expect(other.getByRole('heading', { name: 'Welcome, Alex' })).toBeVisible();
  const status = async () => (await context.request.get(pathOf(me))).status();
  expect(await status()).toBe(200);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/welcome');
  await expect(other).toHaveURL('/welcome');
  await expect.poll(status).toBe(401);
});

test('a signed-in user goes to the dashboard, and a logout made offline takes effect once online', async ({
  owner,
}) => {
  const { page, context, call } = await owner();
  await page.goto('/');
  await expect(page).toHaveURL('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/welcome');
  expect((await call(me)).given_name).toBeTruthy();
  await page.unroute('**/api/**');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get Access Code' })).toBeVisible();
  await expect
    .poll(async () =>
      call(me).then(
        () => 'signed in',
        () => 'signed out',
      ),
    )
    .toBe('signed out');
  await context.close();
});
