import type { Page } from '@playwright/test';

/** Returns the targets that are too small to touch on a phone, and by how many pixels the screen is too wide. */
export async function misfits(
  page: Page,
): Promise<{ targets: number; small: string[]; overflow: number }> {
  const targets = page.locator('a:visible, button:visible, input:visible');
  const small = await targets.evaluateAll((elements) =>
    elements
      .filter((element) => !element.matches('[href="#main"]'))
      .map((element) => ({ box: element.getBoundingClientRect(), name: element.textContent }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ box, name }) => `${name}: ${box.width} x ${box.height}`),
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return { targets: await targets.count(), small, overflow };
}

/** Delays secondary requests of a screen until the returned function is called. */
export async function delaySecondaryRequests(page: Page): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((go) => {
    release = go;
  });
  const late =
    /\/api\/(weather|emergency-alerts|shown-advertisements|health|users\/[^/]+\/friendly-index)\b/;
  await page.route(late, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}
