import { expect, type Locator, type Page } from '@playwright/test';

/** As long as somebody needs to see what has come: what is pressed sooner was meant for what was there before. */
export const takeIn = (page: Page): Promise<void> => page.waitForTimeout(500);

/**
 * Presses a button until what it opens is there, as somebody does whose press was dropped because a notice had just moved the
 * button (client/ui/prevent-shifted-tap.ts). On a page that has only just loaded, notices still come.
 */
export const pressToOpen = (button: Locator, opened: Locator): Promise<void> =>
  expect(async () => {
    if (!(await opened.isVisible())) await button.click({ timeout: 5_000 });
    await expect(opened).toBeVisible({ timeout: 2_000 });
  }).toPass();

/**
 * Has the page press a button as soon as something comes that moves it or brings it, as a finger does that was on its way
 * to what was there before.
 * @param comes a selector of what comes
 * @param button a selector, for the moment after that
 */
export const pressWhenCome = (page: Page, comes: string, button: string): Promise<void> =>
  page.evaluate(
    ([come, pressed]) =>
      new Promise<void>((resolve) => {
        const before = document.querySelectorAll(come!).length;
        const observer = new MutationObserver(() => {
          if (document.querySelectorAll(come!).length <= before) return;
          observer.disconnect();
          requestAnimationFrame(() => {
            const press = { bubbles: true, cancelable: true, detail: 1 };
            const target = document.querySelector(pressed!);
            target?.dispatchEvent(new PointerEvent('pointerdown', press));
            target?.dispatchEvent(new MouseEvent('click', press));
            resolve();
          });
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
    [comes, button],
  );
