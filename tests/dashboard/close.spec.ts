import type { Page } from '@playwright/test';
import { expect, test } from '../browser.ts';

/** Every dialog with its own URL, and the screen that opens it. */
const OPENED: [screen: string, open: (page: Page) => Promise<unknown>][] = [
  ['/home', (page) => page.getByRole('link', { name: 'My Profile' }).click()],
  ['/home', (page) => page.getByRole('link', { name: 'Refer Friends' }).click()],
  ['/home', (page) => page.getByRole('link', { name: 'Add Dog' }).first().click()],
  ['/dogs', (page) => page.getByRole('link', { name: 'Add Dog' }).click()],
  ['/you', (page) => page.getByRole('link', { name: 'Why this score' }).click()],
  ['/social?tab=search', (page) => page.getByRole('button', { name: /Guidelines/ }).click()],
  [
    '/settings#quiet-places',
    (page) => page.getByRole('link', { name: 'Add a quiet place' }).click(),
  ],
  [
    '/settings#sounds',
    (page) =>
      page
        .getByRole('button', { name: /Use your own/ })
        .first()
        .click(),
  ],
];

test('a closed dialog is not in the browser history', async ({ owner }) => {
  const { page } = await owner();
  await page.goto('/community');
  for (const [screen, open] of OPENED) {
    const link = `[href="${screen.split('?')[0]}"]`;
    // The settings are not a destination of the navigation.
    if (screen.startsWith('/settings')) await page.goto(screen);
    else await page.locator(`nav ${link}`).click();
    if (screen.includes('?')) await page.getByRole('tab', { name: 'Search' }).click();
    await expect(page).toHaveURL(screen);
    await open(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL(/[?&]open=/);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(screen);
    await page.goBack();
    await expect(page, `after ${screen}`).toHaveURL('/community');
  }
});

test('a dialog opened by a link closes on its screen, and closing twice goes back once', async ({
  owner,
}) => {
  const { page } = await owner();
  await page.goto('/home');
  await page.goto('/settings');
  // Opened from another screen, closing leads to the screen of the dialog.
  await page.goto('/home?open=test-alerts');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL('/home');
  await page.goBack();
  await expect(page).toHaveURL('/settings');

  await page.locator('nav [href="/home"]').click();
  await page.getByRole('link', { name: 'Refer Friends' }).click();
  await page.getByRole('dialog').waitFor();
  await page.evaluate(`
    const close = document.querySelector('[role="dialog"] [aria-label="Close"]');
    close.click();
    close.click();
  `);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/home');
});
