import type { Route } from '@playwright/test';
import { getAccess } from '#shared/access-gate/contract.ts';
import { expect, expectAccessible, test } from '../browser.ts';

const DAY = 86_400_000;

/** Shifts the device's answer about its user: access ends at this time. */
const endsAt = (time: number, has_access: boolean) => async (route: Route) => {
  const answer = await route.fetch();
  const user = (await answer.json()) as object;
  await route.fulfill({
    response: answer,
    json: { ...user, has_access, access_expires_at: new Date(time).toISOString() },
  });
};

test('access that ends soon is renewed in place', async ({ owner, makeCode }) => {
  const { page, call } = await owner({ name: 'Kim' });
  await page.route('**/api/users/me', endsAt(Date.now() + 3 * DAY, true));
  await page.goto('/home');
  const banner = page.getByRole('region', { name: 'Access' });
  await expect(banner).toContainText('Your access ends on');
  await expectAccessible(page);
  await banner.getByRole('link', { name: 'Renew' }).click();
  const dialog = page.getByRole('dialog', { name: 'Renew your access' });
  await expect(dialog.getByRole('button', { name: 'No code? Donate $1' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/users/me');
  await dialog.getByLabel('Access code').fill(await makeCode());
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toBeHidden();
  await expect(banner).toBeHidden();
  await expect(page).toHaveURL('/home');
  const { ends_at } = await call(getAccess);
  expect(Date.parse(ends_at ?? '')).toBeGreaterThan(Date.now() + 29 * DAY);
});

test('access that has ended is renewed at the gate, which leads back to the screen', async ({
  owner,
  makeCode,
}) => {
  const { page, email } = await owner({ name: 'Kim' });
  const ended = Date.now() - DAY;
  await page.route('**/api/users/me', endsAt(ended, false));
  await page.route('**/api/access', (route) =>
    route.fulfill({
      json: {
        state: 'ended',
        ends_at: new Date(ended).toISOString(),
        reason: 'expired',
        access_code: null,
        donation: null,
      },
    }),
  );
  await page.goto('/locations?radius=5');
  await expect(page).toHaveURL('/access-code');
  await expect(page.getByRole('heading', { name: 'Renew your access' })).toBeVisible();
  await expect(page.getByText(`Signed in as ${email}`)).toBeVisible();
  await expect(page.getByText(/Your access ended on .* gives you 30 days/)).toBeVisible();
  for (const name of ['Logout', 'Export my data', 'Delete my account'])
    await expect(page.getByRole('button', { name })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/users/me');
  await page.getByLabel('Access code').fill(await makeCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Access Granted!')).toBeVisible();
  await expect(page).toHaveURL(/\/locations\?radius=5/);
});
