import type { Locator, Page } from '@playwright/test';
import { expect, type Owner } from '../browser.ts';

export const input = (page: Page): Locator => page.getByLabel(/^Message to/);
export const messages = (page: Page): Locator => page.getByRole('log').getByRole('article');
export const stateOf = (page: Page, text: string): Locator =>
  messages(page).filter({ hasText: text }).locator('[data-delivery]');
export const chats = (page: Page): Locator => page.getByRole('list', { name: 'Chats' });

export async function write(page: Page, text: string): Promise<void> {
  await input(page).fill(text);
  await input(page).press('Enter');
  await expect(messages(page).filter({ hasText: text })).toHaveCount(1);
}

/** Scrolls to the end of the guidelines and accepts them. */
export async function acceptGuidelines(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Community Safety Guidelines' });
  const accept = dialog.getByRole('button', { name: 'Accept' });
  const text = dialog.getByRole('region', { name: 'Guidelines' });
  const scrollTo = (beforeEnd: number) =>
    text.evaluate(
      (box, px) => box.scrollTo(0, box.scrollHeight - box.clientHeight - px),
      beforeEnd,
    );
  await expect(text.getByRole('heading').first()).toBeVisible();
  await expect(accept).toBeDisabled();
  await dialog.getByRole('checkbox').check();
  await scrollTo(11);
  await expect(accept).toBeDisabled();
  await scrollTo(10);
  await expect(accept).toBeEnabled();
  await dialog.getByRole('checkbox').uncheck();
  await expect(accept).toBeDisabled();
  await dialog.getByRole('checkbox').check();
  await accept.click();
  await expect(dialog).toBeHidden();
}

/** Opens a chat and accepts the guidelines if necessary. */
export async function openChat(page: Page, friend: Owner): Promise<void> {
  await page.goto(`/chat/${friend.user.id}`);
  await expect(input(page)).toBeVisible();
  const notice = page.getByRole('button', { name: 'Read the guidelines' });
  await expect(notice.or(page.locator('textarea:enabled'))).toBeVisible();
  if (await notice.isVisible()) {
    await notice.click();
    await acceptGuidelines(page);
  }
  await expect(input(page)).toBeEnabled();
}

/** Opens the menu of a message and chooses an item. */
export async function choose(
  page: Page,
  text: string | RegExp,
  item: string | RegExp,
): Promise<void> {
  await messages(page)
    .filter({ hasText: text })
    .getByRole('button', { name: /^Actions for the message/ })
    .press('Enter');
  await page.getByRole('menu').getByText(item).click();
}
