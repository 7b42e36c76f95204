import type { Page } from '@playwright/test';

/** The highest acceptable score of layout shifts of a screen. */
export const CLS_BUDGET = 0.05;

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node?: Node }[];
}
interface Moved {
  /** The layout shift score, or 0 right after user input. */
  value: number;
  /** The HTML of the elements that moved inside the main screen. */
  inScreen: string[];
}

/** Records layout shifts from the start of each page. */
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

/** Returns the layout shifts since the last call. */
const shifts = (page: Page): Promise<Moved[]> =>
  page.evaluate(
    () =>
      new Promise<Moved[]>((resolve) =>
        // Waits for the next frame and its entries.
        requestAnimationFrame(() =>
          setTimeout(
            () => resolve((window as unknown as { shifts: Moved[] }).shifts.splice(0)),
            50,
          ),
        ),
      ),
  );

/** Returns the HTML of the elements that moved inside the main screen since the last call. */
export const takeShiftedElements = async (page: Page): Promise<string[]> =>
  (await shifts(page)).flatMap(({ inScreen }) => inScreen);

/** Returns the unexpected layout shift since the last call, as Chromium measures it. */
export const takeShiftScore = async (page: Page): Promise<number> =>
  (await shifts(page)).reduce((sum, { value }) => sum + value, 0);
