import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test, usedDatabases } from '../browser.ts';
import { untilSaved } from '../my-dogs.ts';
import { unzip } from './unzip.ts';

const data = (page: Page) => page.getByRole('region', { name: 'Your data' });

test('exports all data of an account and then deletes it on every device', async ({
  owner,
  device,
}) => {
  const phone = await owner({ name: 'Ana' });
  const tablet = await device(phone);
  const { page } = phone;
  await tablet.page.goto('/home');
  await untilSaved(tablet.page);
  await page.goto('/settings#your-data');
  await untilSaved(page);
  await expect(data(page)).toBeVisible();

  await phone.context.setOffline(true);
  await data(page).getByRole('button', { name: 'Export my data' }).click();
  await expect(data(page).getByRole('alert')).toContainText('Failed to export your data');
  await phone.context.setOffline(false);
  const downloading = page.waitForEvent('download');
  await data(page).getByRole('button', { name: 'Export my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^leashwise-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzip(await readFile(await download.path()));
  expect(files.get('documents.json')?.toString()).toContain('Bella');
  await expect(data(page)).toContainText('Your data is in your downloads.');

  await data(page).getByRole('link', { name: 'Delete my account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  const button = question.getByRole('button', { name: 'Delete my account' });
  await expect(button).toBeDisabled();
  await expectAccessible(page);
  await question.getByLabel('Type “delete my account”').fill('delete');
  await expect(button).toBeDisabled();
  await page.goBack();
  await expect(question).toBeHidden();
  await page.goForward();
  await question.getByLabel('Type “delete my account”').fill('Delete my account');
  await question.getByLabel('Type “delete my account”').press('Enter');

  await expect(page).toHaveURL(/\/welcome\?account=deleted$/);
  await expect(page.getByRole('status')).toHaveText('Your account has been deleted.');
  expect(await usedDatabases(page)).toEqual([]);
  await page.goto('/home');
  await expect(page).toHaveURL(/\/welcome$/);

  // The tablet finds out with its next request.
  await expect(tablet.page).toHaveURL(/\/welcome$/, { timeout: 45_000 });
  await expect.poll(() => usedDatabases(tablet.page)).toEqual([]);
});
