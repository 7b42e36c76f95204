import sharp from 'sharp';
import { updateCharity } from '#shared/charities/admin-contract.ts';
import { expect, expectAccessible, freshEmail, test } from '../browser.ts';
import { charityBody } from './made-charities.ts';

const logo = async () => ({
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 64, height: 64, channels: 3, background: '#2340a8' } })
    .png()
    .toBuffer(),
});

test('a charity changes its page by the emailed link, and visitors and members see it', async ({
  page,
  owner,
  admin,
}) => {
  const email = freshEmail('charity');
  const charity_name = `Paws ${email.slice(8, 16)}`;
  const place = { address: '12 Main Street', city: 'Springfield' };
  const made = await page.request.post('/api/charities', {
    multipart: charityBody({ charity_name, contact_email: email, ...place }),
  });
  const { id } = ((await made.json()) as { charity: { id: string } }).charity;
  const sent = async () =>
    (await (await page.request.get('/api/dev/sent')).text())
      .split('<article>')
      .find((each) => each.includes(email)) ?? '';
  await expect.poll(sent).toContain('charity-signup#');
  const token = /charity-signup#([\w.-]+)/.exec(await sent())?.[1] ?? '';

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/charity-signup#${token}`);
  await page.getByLabel('Choose a logo').setInputFiles(await logo());
  await page.getByLabel('Story').fill('We began with three dogs.');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.locator('img[src^="blob:"]')).toBeVisible();
  await expect(preview).toContainText('We began with three dogs.');
  const save = page.getByRole('button', { name: 'Save' });
  // The form is long: the button stays in view, and ends below the preview.
  await page.evaluate(() => scrollTo(0, 0));
  await expect(save).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  // In one look, because the page may scroll between two.
  const button = await save.elementHandle();
  const space = await preview.evaluate(
    (above, below) =>
      (below?.getBoundingClientRect().top ?? 0) - above.getBoundingClientRect().bottom,
    button,
  );
  expect(space).toBeGreaterThanOrEqual(0);
  await expectAccessible(page);
  await save.click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(preview.locator('img[src^="blob:"]')).toBeVisible();
  await page.reload();
  await expect(preview.locator('img[src^="data:image/webp"]')).toBeVisible();

  await admin.call(updateCharity, { params: { id }, body: { is_verified: true } });
  await admin.call(updateCharity, { params: { id }, body: { total_donated_cents: 125_000 } });
  await page.goto(`/charities/${id}`);
  await expect(page.getByRole('heading', { name: charity_name })).toBeVisible();
  await expect(page.getByText('$1,250+ raised')).toBeVisible();
  await expect(page.getByRole('main').locator('img[src^="/api/public-files/"]')).toBeVisible();
  const data: unknown = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
  );
  expect(data).toMatchObject({
    '@type': 'NGO',
    name: charity_name,
    address: { addressLocality: 'Springfield' },
    potentialAction: { '@type': 'DonateAction', target: 'https://give.example/paws' },
  });
  for (const once of [/Springfield/, /give\.example/])
    await expect(page.getByRole('main').getByText(once)).toHaveCount(1);
  await expectAccessible(page);

  const member = await owner({ name: 'Mia' });
  await member.page.goto(`/charities/${id}`);
  await expect(member.page.getByRole('heading', { name: charity_name })).toBeVisible();
  await expect(member.page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expectAccessible(member.page);
  await member.page.getByRole('link', { name: 'All charities' }).click();
  await expect(member.page).toHaveURL('/community');
});
