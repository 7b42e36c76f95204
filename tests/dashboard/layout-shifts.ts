import type { Page } from '@playwright/test';

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node?: Node }[];
}
interface Moved {
  /** What it adds to the page's layout shift; nothing where somebody pressed something just before. */
  value: number;
  /** What moved in the screen itself, as HTML. */
  inScreen: string[];
}

/** Takes down what moves, from the beginning of each page on. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: Moved[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        const main = document.getElementById('main');
        const nodes = sources.flatMap(({ node }) => (node && main?.contains(node) ? [node] : []));
        const inScreen = nodes.map((node) =>
          node instanceof Element ? node.outerHTML.slice(0, 200) : '',
        );
        shifts.push({ value: hadRecentInput ? 0 : value, inScreen });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** What moved since this was last asked. */
const shifts = (page: Page): Promise<Moved[]> =>
  page.evaluate(
    () =>
      new Promise<Moved[]>((resolve) =>
        // After the next frame, and what it tells.
        requestAnimationFrame(() =>
          setTimeout(
            () => resolve((window as unknown as { shifts: Moved[] }).shifts.splice(0)),
            50,
          ),
        ),
      ),
  );

/** What moved in the screen itself since this was last asked, as HTML. */
export const movedIn = async (page: Page): Promise<string[]> =>
  (await shifts(page)).flatMap(({ inScreen }) => inScreen);

/** How much the page moved without anybody's doing since this was last asked, as Chromium counts it. */
export const shiftOf = async (page: Page): Promise<number> =>
  (await shifts(page)).reduce((sum, { value }) => sum + value, 0);
