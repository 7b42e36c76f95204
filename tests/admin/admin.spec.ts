import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { createCode, getCode, listCodes, updateCode } from '#shared/access-gate/admin-contract.ts';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { createDonation } from '#shared/payments/contract.ts';
import { ADMIN_EMAIL } from '../../scripts/session/api-session.ts';
import { expect, expectAccessible, loginUrl, position, test } from '../browser.ts';

const tag = () => randomUUID().slice(0, 8).toUpperCase();
const tab = (page: Page, name: string) =>
  page.getByRole('tab', { name: new RegExp(`^${name}( [\\d,+]+ waiting)?$`) });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Returns the table rows that contain this text. */
const rowOf = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

const WIDE = [1024, 1280];

/** Expects that the tab fits a narrow phone without axe violations, and that wider windows cut off no column. */
async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(360);
  await expectAccessible(page);
  const cut = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('section:has(> table)')].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ).length,
    );
  for (const each of WIDE) {
    await page.setViewportSize({ width: each, height: 800 });
    await expect.poll(cut, { message: `${each} px` }).toBe(0);
  }
}

test('a new admin signs in to the panel, not to the setup of a dog', async ({
  page,
  context,
  origin,
}) => {
  await page.goto(await loginUrl(context, origin, ADMIN_EMAIL));
  await expect(page).toHaveURL('/admin');
  await expect(tab(page, 'Access Codes')).toHaveAttribute('aria-selected', 'true');
  await page.goto('/onboarding');
  await page.getByRole('link', { name: 'Open the admin panel' }).click();
  await expect(page).toHaveURL('/admin');
});

test('an admin creates, edits, and deletes access codes', async ({ device, admin }) => {
  const { page } = await device({ email: ADMIN_EMAIL });
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
  await page.goto('/admin');
  await expect(tab(page, 'Access Codes')).toHaveAttribute('aria-selected', 'true');

  const start = tag();
  await page.getByRole('button', { name: 'Create Code' }).click();
  const making = dialog(page, 'Create access code');
  await making.getByRole('button', { name: 'Create Code' }).click();
  await expect(making).toContainText('Code is required');
  await making.getByRole('button', { name: 'Generate' }).click();
  await expect(making.getByLabel('Code')).toHaveValue(/^[A-Z0-9-]{8,}$/);
  await making.getByLabel('Code').fill(`${start.toLowerCase()}-one`);
  await making.getByLabel('Description').fill('For the club');
  await making.getByRole('button', { name: 'Create Code' }).click();
  await expect(making).toBeHidden();

  await page.getByRole('searchbox', { name: 'Search by code or description' }).fill(start);
  const row = rowOf(page, `${start}-ONE`);
  await expect(row).toContainText('Active');
  await expect(row).toContainText('0 of unlimited');
  await expect(page).toHaveURL(new RegExp(`search=${start}`));

  const deletedAnswer = { error: 'Another admin deleted it', code: 'not_found' };
  await page.route('**/api/admin/access-codes/*', (route) =>
    route.fulfill({ status: 404, json: deletedAnswer }),
  );
  await row.getByRole('switch').click();
  await expect(
    page.getByText('Failed to update access code status: Another admin deleted it'),
  ).toBeVisible();
  await page.unroute('**/api/admin/access-codes/*');
  await row.getByRole('switch').click();
  await expect(row).toContainText('Inactive');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row.getByRole('switch')).toBeChecked();

  // Another admin edits the same code while this one types.
  await row.getByRole('button', { name: `Edit ${start}-ONE` }).click();
  const editing = dialog(page, 'Edit access code');
  await expect(editing).toContainText('No one has used it yet.');
  // A half-typed value does not count as empty.
  await editing.getByLabel('Expires').focus();
  await page.keyboard.type('12252099');
  await editing.getByLabel('Maximum uses').pressSequentially('1e');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(editing).toContainText('Please enter a full date and time, or leave it empty');
  await expect(editing).toContainText('Enter at least 1, or leave empty for unlimited');
  await editing.getByLabel('Expires').fill('2099-12-25T09:00');
  await editing.getByLabel('Maximum uses').fill('7');
  const { accessCodes } = await admin.call(listCodes, { query: { search: start } });
  const params = { id: accessCodes[0]?.id ?? '' };
  await admin.call(updateCode, { params, body: { description: 'Theirs', max_uses: 3 } });
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(editing).toContainText('Another admin changed this in the meantime');
  await expect(editing).toContainText('Maximum uses: nothing → 3');
  await expect(editing.getByLabel('Maximum uses')).toHaveValue('7');
  await expect(editing.getByLabel('Description')).toHaveValue('Theirs');
  await expectAccessible(page);
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(editing).toBeHidden();
  const { accessCode } = await admin.call(getCode, { params });
  expect(accessCode).toMatchObject({ description: 'Theirs', max_uses: 7 });

  // Creates several codes at once, after a preview.
  await admin.call(createCode, { body: { code: `${start}-two` } });
  await page.reload();
  await expect(rowOf(page, `${start}-TWO`)).toBeVisible();
  await page.getByLabel('Select all').check();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  const preview = dialog(page, 'Disable 2 selected?');
  await expect(preview.getByRole('listitem')).toHaveText([
    `${start}-TWOActive → Inactive`,
    `${start}-ONEActive → Inactive`,
  ]);
  await preview.getByRole('button', { name: 'Disable 2' }).click();
  await expect(rowOf(page, `${start}-TWO`)).toContainText('Inactive');
  const exported = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await exported).suggestedFilename()).toMatch(/^access-codes-.*\.csv$/);
  await expectToFit(page);

  await row.getByRole('button', { name: `Delete ${start}-ONE` }).click();
  await dialog(page, `Delete ${start}-ONE?`).getByRole('button', { name: 'Delete' }).click();
  await expect(row).toBeHidden();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active');
  await expect(page.getByText('No access codes match your filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/search=/);

  await tab(page, 'Audit Log').click();
  await expect(page).toHaveURL(/tab=audit-log/);
  await expect(rowOf(page, 'Delete access code').first()).toContainText(ADMIN_EMAIL);
  await expectToFit(page);

  // More rows than fit on one page.
  const more = Array.from({ length: 55 }, (_, i) => `${start}-M${i}`);
  await Promise.all(more.map((code) => admin.call(createCode, { body: { code } })));
  await page.goto(`/admin?search=${start}`);
  await page.getByLabel('Select all').check();
  await page.getByRole('button', { name: 'Select all 56' }).click();
  const selected = page.getByRole('region', { name: 'Selected rows' });
  await expect(selected).toContainText('56 selected');
  await selected.getByRole('button', { name: 'Disable', exact: true }).click();
  const many = dialog(page, 'Disable 56 selected?');
  await expect(many).toContainText('55 of 56 will change.');
  await expect(many.getByRole('listitem')).toHaveCount(56);
  await many.getByRole('button', { name: 'Disable 55' }).click();
  await expect(page.getByText('Disabled 55')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Inactive' })).toHaveCount(50);
});

test('an admin manages ads, donations, and alerts', async ({ device, admin }) => {
  const { page, context } = await device({ email: ADMIN_EMAIL });
  await position(context, { latitude: -41.5, longitude: 100.25 });
  await page.goto('/admin?tab=advertisements');
  const start = tag();
  await page.getByRole('button', { name: 'Create Ad' }).click();
  const making = dialog(page, 'Create advertisement');
  await making.getByRole('button', { name: 'Create Ad' }).click();
  await expect(making).toContainText('Title and target URL are required');
  await expect(making.getByLabel('Title')).toBeFocused();
  await making.getByLabel('Title').fill(`Kibble ${start}`);
  await making.getByLabel('Target URL').fill('kibble');
  await making.getByLabel('Placement').selectOption('Over a page');
  await making.getByRole('button', { name: 'Create Ad' }).click();
  await expect(making).toContainText('Invalid url');
  await making.getByLabel('Target URL').fill('https://kibble.example/');
  const buffer = await sharp({
    create: { width: 8, height: 8, channels: 3, background: '#235' },
  })
    .png()
    .toBuffer();
  const picture = { name: 'dog.png', mimeType: 'image/png', buffer };
  await making.getByLabel('Choose a photo').setInputFiles(picture);
  await expect(making.getByLabel('Image URL')).toHaveValue(/\/api\/public-files\//);
  await expect(making.getByAltText('Preview')).toBeVisible();
  await expectAccessible(page);
  await making.getByRole('button', { name: 'Create Ad' }).click();
  await expect(making).toBeHidden();
  await page.getByRole('searchbox').fill(start);
  await expect(page).toHaveURL(/search=/);
  const ad = rowOf(page, `Kibble ${start}`);
  await expect(ad).toContainText('Over a page');
  await ad.getByRole('button', { name: `Edit Kibble ${start}` }).click();
  const editing = dialog(page, 'Edit advertisement');
  await expect(editing.getByLabel('Title')).toHaveValue(`Kibble ${start}`);
  await expect(editing.getByLabel('Target URL')).toHaveValue('https://kibble.example/');
  await editing.getByLabel('Priority').fill('7');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(editing).toBeHidden();
  await expect(ad.getByRole('cell', { name: '7', exact: true })).toBeVisible();
  await ad.getByRole('switch').click();
  await expect(ad).toContainText('Inactive');
  await expectToFit(page);
  await ad.getByRole('button', { name: `Delete Kibble ${start}` }).click();
  await dialog(page, 'Delete this advertisement?').getByRole('button', { name: 'Delete' }).click();
  await expect(ad).toBeHidden();
  await tab(page, 'Analytics').click();
  await expect(page.getByRole('heading', { name: 'Top Ads' })).toBeVisible();
  await expectToFit(page);

  const email = `${start.toLowerCase()}@example.com`;
  await admin.call(createDonation, { body: { amount_cents: 250, email } });
  await tab(page, 'Donations').click();
  await expect(page.getByText('Test Mode')).toBeVisible();
  await expect(page.getByRole('meter', { name: 'Payment success rate' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by email, code or payment ID' }).fill(start);
  await page.getByRole('button', { name: `Details of $2.50 from ${email}` }).click();
  await expect(dialog(page, 'Donation Details')).toContainText('Pending');
  await page.goBack();
  await expect(dialog(page, 'Donation Details')).toBeHidden();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Completed');
  await expect(page.getByText('No donations match your filters')).toBeVisible();
  await expectToFit(page);

  await tab(page, 'Emergency Alerts').click();
  await page.getByRole('button', { name: 'Create Alert' }).click();
  const alerting = dialog(page, 'Create emergency alert');
  await alerting.getByRole('button', { name: 'Check and send' }).click();
  await expect(alerting.getByText('Required')).toHaveCount(4);
  await alerting.getByLabel('Title').fill(`Flood ${start}`);
  await alerting.getByLabel('Description').fill('The river is over its banks.');
  await alerting.getByRole('button', { name: 'Use my location' }).click();
  await expect(alerting.getByLabel('Latitude')).toHaveValue('-41.500000');
  await expect(alerting.getByLabel('Radius in miles')).toHaveValue('10');
  await alerting.getByLabel('Radius in miles').fill('101');
  await alerting.getByRole('button', { name: 'Check and send' }).click();
  await expect(alerting).toContainText('From 0.1 to 100 miles');
  await alerting.getByLabel('Radius in miles').fill('2.5');
  // A date without a time is invalid, otherwise the ad would expire at once.
  await alerting.getByLabel('Starts').focus();
  await page.keyboard.type('12252099');
  await alerting.getByRole('button', { name: 'Check and send' }).click();
  await expect(alerting).toContainText('Please enter a full date and time, or leave it empty');
  await expect(alerting.getByLabel('Starts')).toBeFocused();
  await expectAccessible(page);
  await alerting.getByLabel('Starts').fill('2099-12-25T09:00');
  await alerting.getByRole('button', { name: 'Check and send' }).click();
  // As people will see it, with how many it reaches, before anybody is alerted.
  await expect(alerting.getByRole('region', { name: 'Preview' })).toContainText(
    'The river is over its banks.',
  );
  await expect(alerting).toContainText('Fewer than 10 people');
  await expectAccessible(page);
  await alerting.getByRole('button', { name: 'Change' }).click();
  await expect(alerting.getByLabel('Title')).toHaveValue(`Flood ${start}`);
  await alerting.getByRole('button', { name: 'Check and send' }).click();
  await alerting.getByRole('button', { name: 'Schedule Alert' }).click();
  await expect(alerting).toBeHidden();
  await expect(page.getByText(`“Flood ${start}” is scheduled`)).toBeVisible();
  const alert = rowOf(page, `Flood ${start}`);
  await expect(alert).toContainText('2.5 miles around');
  await expectToFit(page);
  await alert.getByRole('button', { name: `Details of Flood ${start}` }).click();
  const details = dialog(page, `Flood ${start}`);
  await expect(details).toContainText('The river is over its banks.');
  await expect(details).toContainText('2.5 miles around -41.5000, ');
  await expectAccessible(page);
  await page.goBack();
  await expect(details).toBeHidden();
  // An alert without a start is active at once.
  await admin.call(createAlert, {
    body: {
      alert_type: 'weather',
      severity: 'moderate',
      title: `Storm ${start}`,
      description: 'Trees may fall.',
      affected_latitude: -41.5,
      affected_longitude: 100.25,
      radius_miles: 1,
    },
  });
  await alert.getByRole('button', { name: `Deactivate Flood ${start}` }).click();
  await dialog(page, 'Deactivate this alert?').getByRole('button', { name: 'Deactivate' }).click();
  await expect(alert).toContainText('Over');
  // From the same answer.
  expect(await rowOf(page, `Storm ${start}`).textContent()).toContain('Active');
  await expect(alert.getByRole('button', { name: /^Deactivate/ })).toHaveCount(0);
});

test('denies the admin panel to other users and sends visitors to sign in', async ({
  owner,
  device,
  browser,
  origin,
}) => {
  const { page: theirs } = await owner({ name: 'Ada', profile: false });
  await theirs.goto('/admin');
  const denied = theirs.getByRole('region', { name: 'Access Denied' });
  await expect(denied).toContainText("You don't have admin privileges to access this panel.");
  await expectAccessible(theirs);
  // A signed-in user is redirected at once, so check the address of the link.
  const back = denied.getByRole('link', { name: 'Back to App' });
  await expect(back).toHaveAttribute('href', '/');
  await back.click();
  await expect(denied).toBeHidden();

  // A user who loses admin rights while the panel is open sees it at the next action.
  const { page: formerAdminPage } = await device({ email: ADMIN_EMAIL });
  await formerAdminPage.goto('/admin');
  const created = formerAdminPage.getByRole('button', { name: 'Create Code' });
  await expect(created).toBeVisible();
  const refused = { error: 'Only administrators can do this', code: 'not_admin' };
  await formerAdminPage.route('**/api/admin/access-codes?*', (route) =>
    route.fulfill({ status: 403, json: refused }),
  );
  await formerAdminPage.route('**/api/admin/check', (route) =>
    route.fulfill({ json: { isAdmin: false, email: ADMIN_EMAIL } }),
  );
  await formerAdminPage.getByRole('combobox', { name: 'Status' }).selectOption('Active');
  await expect(formerAdminPage.getByRole('region', { name: 'Access Denied' })).toBeVisible();
  await expect(created).toBeHidden();

  const visitor = await browser.newPage({ baseURL: origin });
  await visitor.goto('/admin');
  await expect(visitor).toHaveURL(/\/welcome$/);
  await visitor.close();
});
