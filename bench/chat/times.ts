import type { Page } from '@playwright/test';

export const ms = (time: number) => `${time.toFixed(0)} ms`;

/** Returns the time that a page recorded under a name, as soon as it has. */
export const noted = async (page: Page, name: string): Promise<number> => {
  // The page's own policy lets nothing be made of text.
  const handle = await page.waitForFunction(
    (key) => (window as unknown as Record<string, unknown>)[key],
    name,
    { timeout: 60_000 },
  );
  return Number(await handle.jsonValue());
};
