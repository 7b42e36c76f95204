import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, expectAccessible, loginUrl, offlineTest, test, untilStored } from '../browser.ts';
import { syncChip } from '../my-dogs.ts';

const LISTED = /\/api\/admin\/charities(\?|$)/;
/** The response of an empty list. */
const NONE = {
  charities: [],
  total: 0,
  total_is_capped: false,
  next_cursor: null,
  previous_cursor: null,
};

test('a charity applies, is approved, and receives a donation', async ({
  browser,
  origin,
  owner,
}) => {
  test.slow();
  const name = `Warm Noses ${randomUUID().slice(0, 8)}`;
  const link = 'https://give.example/noses';
  const logo = await sharp({
    create: { width: 64, height: 64, channels: 3, background: '#2340a8' },
  })
    .png()
    .toBuffer();

  const charity = await browser.newContext({ baseURL: origin });
  const page = await charity.newPage();
  await page.goto('/charity-signup');
  const submit = page.getByRole('button', { name: 'Submit application' });
  const next = page.getByRole('button', { name: 'Continue' });
  await next.click();
  for (const [label, words] of [
    ['Charity name', 'Charity name is required'],
    ['Description', /Description is required/],
  ] as const)
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(words);
  await expect(page.getByLabel('Charity name')).toBeFocused();
  await page.getByLabel('Charity name').fill(name);
  await page.getByLabel('Description').fill('Old dogs find a home with us.');
  await expectAccessible(page);
  await next.click();
  await expect(page.getByRole('heading', { name: 'How to reach you' })).toBeFocused();
  await next.click();
  for (const [label, words] of [
    ['Contact name', 'Contact name is required'],
    ['Contact email', /Contact email is required/],
  ] as const)
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(words);
  await page.getByLabel('Contact name').fill('Chris');
  await page.getByLabel('Contact email').fill('chris@example.com');
  await page.getByLabel('Confirm email').fill('criss@example.com');
  await page.getByLabel(/City/).fill('Springfield');
  await next.click();
  await expect(page.getByText('Email addresses do not match')).toBeVisible();
  await expectAccessible(page);
  // A reload keeps the typed texts.
  await page.reload();
  await expect(page.getByLabel('Description')).toHaveValue('Old dogs find a home with us.');
  await next.click();
  await page.getByLabel('Confirm email').fill('Chris@example.com');
  await next.click();
  await page.getByLabel(/Website/).fill('noses');
  await page.getByLabel('Payment link').fill('javascript:alert(1)');
  const choose = page.getByLabel(/Choose a logo|Change logo/);
  await choose.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await expect(page.getByText('Please select an image file for your logo')).toBeVisible();
  const heavy = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024) };
  await choose.setInputFiles(heavy);
  await expect(page.getByText('Logo file size must be less than 2MB')).toBeVisible();
  await submit.click();
  await expect(page.getByText('Please enter a valid payment link URL')).toBeVisible();
  await expect(page.getByText('Please enter a valid website URL')).toBeVisible();
  await page.getByLabel(/Website/).fill('');
  await page.getByLabel('Payment link').fill(link);
  await choose.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText(name);
  await expect(preview).toContainText('Springfield');
  await expect(preview).not.toContainText('chris@example.com');
  await expectAccessible(page);
  await page.route('**/api/charities', (route) => route.abort());
  await submit.click();
  await expect(page.getByText('Failed to submit charity application')).toBeVisible();
  await page.unroute('**/api/charities');
  await submit.click();
  await expect(page.getByRole('heading', { name: 'Application Submitted!' })).toBeFocused();
  await expect(page.getByText('within 2-3 business days')).toBeVisible();
  const tried = page.getByRole('link', { name: 'Test Your Payment Link' });
  await expect(tried).toHaveAttribute('href', link);
  await expect(tried).toHaveAttribute('rel', /noopener/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
  await charity.close();

  const office = await browser.newContext({ baseURL: origin });
  const dashboard = await office.newPage();
  await dashboard.goto(await loginUrl(office, origin, 'admin@example.com'));
  await dashboard.waitForURL(/\/(home|admin)$/);
  await dashboard.route(LISTED, (route) => route.fulfill({ json: NONE }));
  await dashboard.goto('/admin?tab=charities');
  await expect(dashboard.getByText('No charities registered yet')).toBeVisible();
  await dashboard.unroute(LISTED);
  await dashboard.goto(
    `/admin?tab=charities&search=${encodeURIComponent(name)}&verification=pending`,
  );
  await dashboard.getByRole('button', { name: `Details of ${name}` }).click();
  const details = dashboard.getByRole('dialog', { name: 'Charity' });
  await expect(details).toContainText('Pending Verification');
  await expect(details).toContainText('chris@example.com');
  await expectAccessible(dashboard);
  await dashboard.route('**/api/admin/charities/*', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  );
  await details.getByRole('button', { name: 'Verify' }).click();
  await expect(dashboard.getByText('Failed to update charity verification')).toBeVisible();
  await dashboard.unroute('**/api/admin/charities/*');
  await details.getByRole('button', { name: 'Verify' }).click();
  await expect(details.getByText('Verified', { exact: true })).toBeVisible();
  await expect(details.getByRole('button', { name: 'Verify' })).toBeHidden();
  await details.getByRole('button', { name: 'Edit details' }).click();
  const editing = dashboard.getByRole('dialog', { name: 'Edit charity' });
  await editing.getByLabel('State').fill('Oregon');
  await expectAccessible(dashboard);
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(dashboard.getByText(`${name} saved`)).toBeVisible();
  await expect(editing).toBeHidden();
  await expect(dashboard.getByText('No charities match your filters')).toBeVisible();
  await dashboard.getByRole('button', { name: 'Clear filters' }).click();
  const listed = dashboard.getByRole('row').filter({ hasText: name });
  await expect(listed).toContainText('Verified');
  await expect(listed).toContainText('Springfield, Oregon');
  await expect(listed.getByRole('button', { name: /^Verify/ })).toBeHidden();
  const isActive = listed.getByRole('switch', { name: `${name} is active` });
  await dashboard.route('**/api/admin/charities/*', (route) => route.abort());
  await isActive.click();
  await expect(dashboard.getByText('Failed to update charity status')).toBeVisible();
  await listed.getByRole('button', { name: `Delete ${name}` }).click();
  await dashboard.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(dashboard.getByText('Failed to delete charity')).toBeVisible();
  await dashboard.unroute('**/api/admin/charities/*');
  await expectAccessible(dashboard);

  const alex = await owner({ name: 'Alex' });
  await alex.context.route('https://give.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'Thank you' }),
  );
  await alex.page.goto('/home');
  // The dogs load above and move the link, so wait for them.
  await expect(alex.page.getByText('Bella', { exact: true })).toBeVisible();
  await alex.page.getByRole('link', { name: 'Community Charities' }).click();
  await alex.page.getByLabel('Search charities').fill(name);
  await expect(alex.page.getByText('Showing 1 verified charity')).toBeVisible();
  await alex.page.getByRole('button', { name: `Details of ${name}` }).click();
  const dialog = alex.page.getByRole('dialog', { name });
  await expect(dialog).toContainText('Springfield');
  await expect(dialog).not.toContainText('chris@example.com');
  await expectAccessible(alex.page);
  await alex.page.goBack();
  await expect(dialog).toBeHidden();
  // The link opens although recording fails, and the recording is retried.
  await alex.page.route('**/api/charity-donations', (route) => route.abort());
  const [giving] = await Promise.all([
    alex.context.waitForEvent('page'),
    alex.page.getByRole('link', { name: `Donate to ${name}` }).click(),
  ]);
  await expect(giving.getByText('Thank you')).toBeVisible();
  await giving.close();
  await alex.page.unroute('**/api/charity-donations');
  await alex.page.reload();
  await expect(syncChip(alex.page)).toHaveText(/Saved/);
  // Members aren't told how many others looked.
  await expect(alex.page.getByText(/visits? to its donation page/)).toHaveCount(0);
  await office.close();
});

offlineTest('members suggest charities and see the list offline', async ({ owner }) => {
  const { page, context } = await owner();
  await page.goto('/community?tab=suggest');
  const send = page.getByRole('button', { name: 'Suggest charity' });
  await send.click();
  await expect(page.getByText('Please fill in all required fields')).toBeVisible();
  const name = `Old Bones ${randomUUID().slice(0, 8)}`;
  await page.getByLabel('Charity name').fill(name);
  await page.getByLabel('What it does').fill('Walks for dogs whose people cannot.');
  await page.getByLabel('Contact name').fill('Kim');
  await page.getByLabel('Contact email').fill('kim@example.com');
  await page.getByLabel('Donation link').fill('https://give.example/bones');
  const more = {
    Phone: '+1 555 010 0100',
    'Tax ID': '12-3456789',
    Street: '1 Park Lane',
    'ZIP code': '12345',
  };
  for (const [label, value] of Object.entries(more)) await page.getByLabel(label).fill(value);
  await page.route('**/api/charities', (route) => route.abort());
  await send.click();
  await expect(page.getByText('Failed to submit suggestion')).toBeVisible();
  await page.unroute('**/api/charities');
  await page.route('**/api/charities', (route) => route.fulfill({ status: 502, body: 'no' }));
  await send.click();
  await expect(page.getByText('Failed to submit charity suggestion')).toBeVisible();
  await page.unroute('**/api/charities');
  // The typed texts stay until they are sent, even after leaving the page.
  await page.goto('/home');
  await page.goto('/community?tab=suggest');
  await expect(page.getByLabel('Charity name')).toHaveValue(name);
  const sent = page.waitForRequest('**/api/charities');
  await send.click();
  expect((await sent).postDataJSON()).toMatchObject({
    phone: more['Phone'],
    tax_id: more['Tax ID'],
    address: more['Street'],
    zip_code: more['ZIP code'],
  });
  await expect(
    page.getByText(
      'Thank you for your charity suggestion! It will be reviewed and added if approved.',
    ),
  ).toBeVisible();
  await expectAccessible(page);

  await page.route(/\/api\/charities\?/, (route) =>
    route.fulfill({ status: 400, json: { error: 'Not today' } }),
  );
  await page.getByRole('tab', { name: 'Browse Charities' }).click();
  await expect(page.getByText('Failed to load charities')).toBeVisible();
  await expect(page.getByText('Not today')).toBeVisible();
  await page.unroute(/\/api\/charities\?/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Showing \d+ verified charit/)).toBeVisible();
  await page.getByLabel('Sort by').selectOption('recent');
  await expect(page).toHaveURL(/sort=recent/);
  await untilStored(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(/^Showing \d+ verified charit.* as of/)).toBeVisible();
  // Without a stored list and a network, a retry would do nothing.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (/^cache-.*charities/.test(key)) localStorage.removeItem(key);
  });
  await page.reload();
  const offline = page.getByRole('alert').filter({ hasText: 'You’re offline' });
  await expect(offline).toContainText('Charities appear here when you’re back online.');
  await expect(offline.getByRole('button')).toHaveCount(0);
  await expectAccessible(page);
  await context.setOffline(false);

  // Signed out on a device with gate access.
  await context.clearCookies();
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (!/access/i.test(key)) localStorage.removeItem(key);
  });
  await page.goto('/community');
  await expect(page).toHaveURL('/welcome');
});

test('an offline list of charities shows when it was loaded, even before a reload', async ({
  owner,
}) => {
  const { context, page } = await owner({ name: 'Cora' });
  await page.clock.install();
  await page.goto('/community');
  const count = page.getByText(/^Showing \d+ verified charit/);
  await expect(count).toBeVisible();
  await expect(count).not.toContainText('as of');
  await page.clock.fastForward('05:00');
  await context.setOffline(true);
  await page.getByRole('tab', { name: 'Suggest Charity' }).click();
  await page.getByRole('tab', { name: 'Browse Charities' }).click();
  await expect(count).toContainText('as of');
  await context.setOffline(false);
  await expect(count).not.toContainText('as of');
});
