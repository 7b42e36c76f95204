import type { Page } from '@playwright/test';

/** Waits until an alert that has just appeared accepts taps (client/alerts/use-tap-guard.ts). */
export const waitForTapGuard = (page: Page): Promise<void> => page.waitForTimeout(500);

/**
 * Clicks a button in the page as soon as a new element appears that moves or contains it, like a finger that was
 * aimed at the previous content.
 * @param comes a selector of the new element
 * @param button a selector, evaluated after that
 */
export const tapWhenMoved = (page: Page, comes: string, button: string): Promise<void> =>
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
