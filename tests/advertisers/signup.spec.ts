import { fieldTime } from '../../client/features/advertisers/datetime-local.ts';
import { expect, freshEmail, test } from '../browser.ts';

test('sends edits made after going back before payment, and continues the same ad with a corrected email', async ({
  page,
}) => {
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await page.goto('/advertiser-signup');
  await page.getByLabel('Email').fill(freshEmail('typo'));
  await page.getByLabel('Company name').fill('Kibble & Co');
  await page.getByLabel('Contact name').fill('Kim Park');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Title').fill('Kibble');
  await page.getByLabel('Description').fill('Fresh');
  await page.getByLabel('Target URL').fill('https://kibble.example/');
  const hours = 6_500 + Math.floor(Math.random() * 2_000);
  const start = fieldTime(new Date(Date.now() + hours * 60 * 60 * 1000));
  await page.getByRole('button', { name: 'Another time' }).click();
  await page.getByLabel('Scheduled start').fill(start);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(heading('Payment')).toBeVisible();

  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Title').fill('Kibble, fresher');
  await page.goBack();
  await expect(page).toHaveURL('/advertiser-signup?step=details');
  await expect(page.getByLabel('Title')).toHaveValue('Kibble, fresher');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(heading('Payment')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Kibble, fresher' })).toBeVisible();

  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Email').fill(freshEmail('right'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(heading('Payment')).toBeVisible();
});
