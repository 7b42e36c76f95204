import type { Page } from '@playwright/test';

/** Records the vibrations that a page requests. @returns the patterns since the page was opened */
export async function recordVibrations(page: Page): Promise<() => Promise<number[][]>> {
  await page.addInitScript(() => {
    const felt: unknown[] = [];
    Object.assign(window, { felt });
    navigator.vibrate = (pattern) => {
      felt.push(pattern);
      return true;
    };
  });
  return () => page.evaluate(() => (window as unknown as { felt: number[][] }).felt);
}
