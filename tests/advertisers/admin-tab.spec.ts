import type { z } from 'zod';
import { EDITED_TEXT } from '#shared/admin/paging.ts';
import {
  putBackListing,
  takeDownListing,
  type listAdvertiserAds,
} from '#shared/advertisers/admin-contract.ts';
import {
  createAdvertiser,
  createLocationAd,
  createTimedAd,
  payForAd,
} from '#shared/advertisers/contract.ts';
import { getDashboard } from '#shared/advertisers/dashboard-contract.ts';
import { expect, expectAccessible, freshEmail, test } from '../browser.ts';
import { walletToken } from '../payments/pay.ts';

test('an admin sees advertisers, their ads, and revenue', async ({
  admin,
  device,
  origin,
  owner,
}) => {
  const shop = await owner({ name: 'Shop' });
  const company_name = `Kibble ${freshEmail('x').slice(2, 10)}`;
  const body = { email: freshEmail('shop'), company_name, contact_name: 'Kim Park' };
  const { advertiser } = await shop.call(createAdvertiser, { body });
  const listing = await shop.call(createLocationAd, {
    body: {
      advertiser_id: advertiser.id,
      business_name: `${company_name} Store`,
      business_type: 'pet_store',
      description: 'Around the corner.',
      latitude: 40.78,
      longitude: -73.97,
    },
  });
  const payment_token = await walletToken({ origin }, 'pays');
  const paying = { advertiser_id: advertiser.id, advertisement_id: listing.advertisement.id };
  await shop.call(payForAd, { body: { ...paying, payment_token } });
  await shop.call(createTimedAd, {
    body: {
      advertiser_id: advertiser.id,
      title: 'Kibble, fresh',
      description: 'Around the corner.',
      target_url: 'https://kibble.example/',
      placement: 'sidebar',
      scheduled_start_at: new Date(Date.now() + 86_400_000 * 40 * Math.random()).toISOString(),
    },
  });

  const { page } = await device({ email: 'admin@example.com' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.route('**/api/admin/advertiser-analytics*', (route) => route.abort());
  await page.goto('/admin?tab=advertisers');
  await expect(page.getByText('Failed to fetch advertiser analytics')).toBeVisible({
    timeout: 30_000,
  });
  await page.unroute('**/api/admin/advertiser-analytics*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('img', { name: /The table below has each day/ })).toBeVisible();
  await page.getByText('Show as a table').click();
  await expect(page.getByRole('table', { name: 'Revenue by day' }).getByRole('row')).toHaveCount(
    31,
  );
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Advertisers' }).last().click();
  await page.getByText('Search, filter, sort').click();
  await page.getByLabel('Search by company, contact or email').fill('nobody at all');
  await expect(page.getByText('No advertisers found')).toBeVisible();
  await page.getByLabel('Search by company, contact or email').fill(company_name);
  await page.getByRole('button', { name: `More about ${company_name}` }).click();
  await page.getByRole('button', { name: `Details of ${company_name}` }).click();
  const details = page.getByRole('dialog', { name: 'Advertiser Details' });
  await expect(details).toContainText(body.email);
  await expect(details).toContainText('Not paid');
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Edit details' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit advertiser' });
  await editing.getByLabel('Contact name').fill('Robin');
  await expectAccessible(page);
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${company_name} saved`)).toBeVisible();
  await expect(editing).toBeHidden();
  await expect(page.getByText('Robin', { exact: true })).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('tab', { name: 'Advertisements' }).last().click();
  await page.getByLabel('Status').selectOption('unpaid');
  await expect(page.getByRole('row', { name: new RegExp(company_name) })).toBeVisible();

  // Takes down an ad, shows the reason to the advertiser, then restores it.
  const store = `${company_name} Store`;
  await page.getByLabel('Kind').selectOption('local');
  await page.getByLabel('Status').selectOption('All');
  const row = page.getByRole('row', { name: new RegExp(store) });
  await row.getByRole('button', { name: `Edit ${store}` }).click();
  const correcting = page.getByRole('dialog', { name: 'Edit advertisement' });
  await expectAccessible(page);
  await correcting.getByLabel('Description').fill('Around the next corner.');
  await correcting.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`“${store}” saved`)).toBeVisible();
  expect((await shop.call(getDashboard)).listings).toMatchObject([
    { description: 'Around the next corner.' },
  ]);
  await row.getByRole('button', { name: `Take down ${store}` }).click();
  const form = page.getByRole('dialog', { name: 'Take down' });
  await form.getByLabel('Reason').fill('It sells what hurts dogs.');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Take down' }).click();
  await expect(form).toBeHidden();
  await expect(row).toContainText('Taken down');
  await expect(row).toContainText('Paused');
  expect((await shop.call(getDashboard)).listings).toMatchObject([
    { status: 'paused', taken_down_reason: 'It sells what hurts dogs.' },
  ]);
  const { page: dashboard } = shop;
  await dashboard.goto('/advertiser');
  await expect(dashboard.getByRole('article', { name: store })).toContainText(
    'An administrator took this ad down, so it isn’t shownIt sells what hurts dogs.',
  );
  await expect(dashboard.getByRole('button', { name: /^Renew/ })).toHaveCount(0);
  await expectAccessible(dashboard);
  await row.getByRole('button', { name: `Restore ${store}` }).click();
  await expect(row.getByText('Active')).toBeVisible();

  // A typed reason stays when another admin was faster, even if that removes the ad from the page.
  const params = { id: listing.advertisement.id };
  await page.getByLabel('Status').selectOption('active');
  await row.getByRole('button', { name: `Take down ${store}` }).click();
  await form.getByLabel('Reason').fill('It sells what hurts dogs.');
  await admin.call(takeDownListing, { params, body: { reason: 'It is theirs.' } });
  await form.getByRole('button', { name: 'Take down' }).click();
  await expect(form).toContainText('This ad isn’t running or scheduled');
  // Listings of other tests may be there.
  await expect(row).toHaveCount(0);
  await expect(form.getByLabel('Reason')).toHaveValue('It sells what hurts dogs.');
  await page.goBack();
  await expect(form).toBeHidden();
  await admin.call(putBackListing, { params, body: {} });
  await page.getByLabel('Status').selectOption('');
  await expect(row.getByText('Active')).toBeVisible();

  // A bulk action shows a preview and can be undone.
  await row.getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selected rows' }).getByText('Take down').click();
  const several = page.getByRole('dialog', { name: 'Take down 1 selected?' });
  await expect(several.getByRole('list', { name: 'Planned changes' })).toHaveText(
    `${store}Shown → Taken down`,
  );
  await several.getByRole('button', { name: 'Take down 1' }).click();
  await expect(several.getByText('Please enter a reason')).toBeVisible();
  await several.getByLabel('Reason').fill('It sells what hurts dogs.');
  await expectAccessible(page);
  await several.getByRole('button', { name: 'Take down 1' }).click();
  await expect(row).toContainText('Taken down');
  const undoRow = page.getByRole('listitem').filter({ hasText: 'Taken down 1' });
  // Reports which rows another admin changed first, and why they were skipped.
  await admin.call(putBackListing, { params, body: {} });
  await undoRow.getByRole('button', { name: 'Undo' }).click();
  const nothing = page.getByRole('dialog', { name: 'Undone 0 of 1' });
  const going = page.getByRole('listitem').filter({ hasText: /Undoing|Undone/ });
  await expect(nothing.getByRole('list', { name: 'Results' })).toHaveText(
    `${store}This ad can’t be restored`,
  );
  await nothing.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(going).toHaveCount(0);
  await expect(row.getByText('Active')).toBeVisible();

  // Restoring can be undone, too, with the previous reason.
  const tick = async (name: string) => {
    await page.reload();
    await row.getByRole('checkbox').check();
    await page.getByRole('region', { name: 'Selected rows' }).getByText(name).click();
    return page.getByRole('dialog', { name: `${name} 1 selected?` });
  };
  await admin.call(takeDownListing, { params, body: { reason: 'It barks at night.' } });
  await (await tick('Restore')).getByRole('button', { name: 'Restore 1' }).click();
  await expect(row.getByText('Active')).toBeVisible();
  const isBack = page.getByRole('listitem').filter({ hasText: 'Restored 1' });
  await isBack.getByRole('button', { name: 'Undo' }).click();
  await expect(going).toHaveText('Undone 1');
  await expect(row).toContainText('Taken down');
  expect((await shop.call(getDashboard)).listings).toMatchObject([
    { taken_down_reason: 'It barks at night.' },
  ]);

  // Refunds only the version of the ad that the admin saw.
  const payingBack = await tick('Refund');
  await expect(payingBack.getByRole('list', { name: 'Planned changes' })).toHaveText(
    `${store}$100.00 for each unused month → Refunded`,
  );
  await payingBack.getByLabel('Reason').fill('It was not shown.');
  await admin.call(putBackListing, { params, body: {} });
  await admin.call(takeDownListing, { params, body: { reason: 'It howls at night.' } });
  await payingBack.getByRole('button', { name: 'Refund 1' }).click();
  const none = page.getByRole('dialog', { name: 'Refunded 0 of 1' });
  await expect(none.getByRole('list', { name: 'Results' })).toContainText(EDITED_TEXT);
  await expectAccessible(page);
  await none.getByRole('button', { name: 'Close', exact: true }).last().click();
  const again = await tick('Refund');
  await again.getByLabel('Reason').fill('It was not shown.');
  await again.getByRole('button', { name: 'Refund 1' }).click();
  await expect(row).toContainText('Cancelled');

  // An ad can’t be created in the past, so backdate this one.
  await page.route(/\/api\/admin\/advertiser-ads(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const { ads, ...rest } = (await answer.json()) as z.input<typeof listAdvertiserAds.answer>;
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const over = {
      status: 'completed' as const,
      spent_cents: 20_000,
      scheduled_start_at: ago(5),
      scheduled_end_at: ago(1),
    };
    await route.fulfill({ json: { ads: ads.map((ad) => ({ ...ad, ...over })), ...rest } });
  });
  await page.getByLabel('Kind').selectOption('');
  const past = page.getByRole('row', { name: new RegExp(`Kibble, fresh.*${company_name}`) });
  await past.getByRole('button', { name: 'Refund Kibble, fresh' }).click();
  const back = page.getByRole('dialog', { name: 'Refund' });
  await expect(back).toContainText('It has ended. The full $200');
  await back.getByLabel('Reason').fill('It was not shown.');
  const asked = page.waitForRequest('**/api/admin/advertiser-ads/*/refund');
  await back.getByRole('button', { name: 'Refund' }).click();
  expect((await asked).postDataJSON()).toEqual({ reason: 'It was not shown.', version: 0 });
  await expect(back.getByText('There’s nothing left to refund for this ad')).toBeVisible();
  await page.goBack();

  await page.getByRole('tab', { name: 'Payments' }).click();
  await expect(page.getByLabel('Status')).toBeVisible();
  await expectAccessible(page);
});
