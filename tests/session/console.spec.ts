import type { Page } from '@playwright/test';
import { expect, freshEmail, offlineTest as test, screenHeading } from '../browser.ts';

/** Notes what the console of a page says. */
function consoleOf(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      lines.push(`${message.type()} at ${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => lines.push(`exception at ${page.url()}: ${error.message}`));
  return lines;
}

test('the console stays empty for a visitor, at sign-up, and on each screen', async ({
  page,
  makeCode,
}) => {
  const lines = consoleOf(page);
  for (const path of ['/', '/privacy', '/terms', '/welcome', '/access-code']) {
    await page.goto(path);
    await expect(screenHeading(page)).toBeVisible();
  }
  await page.getByLabel('Access code').fill(await makeCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/welcome');
  await page.getByRole('button', { name: 'Get Started with Google' }).click();
  await page.getByLabel('Use another email address').fill(freshEmail('console'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/onboarding');
  const next = page.getByRole('button', { name: 'Continue' });
  await next.click();
  await page.getByLabel('Dog name').fill('Bella');
  await page.getByRole('radio', { name: 'Friendly' }).check();
  await next.click();
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  await expect(page).toHaveURL('/home');
  const paths = ['/you', '/dogs', '/settings', '/social', '/locations', '/community', '/walks'];
  for (const path of [...paths, '/home']) {
    await page.goto(path);
    await expect(screenHeading(page)).toBeVisible();
  }
  // Without another load of the page, too.
  await page.getByRole('link', { name: 'You', exact: true }).click();
  await expect(page).toHaveURL('/you');
  expect(lines).toEqual([]);
});
