import { setTimeout as wait } from 'node:timers/promises';
import type { Phone } from './browser.ts';

const PATIENCE_MS = 60_000;

/** As text, because functions that tsx compiled don't run in a page. A time is recorded after a frame was drawn. */
const noteWhen = (condition: string) => `
  new Promise((resolve) => {
    const look = () => {
      if (!(${condition})) return void requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  })
`;

/**
 * Starts the browser and opens a screen.
 * @param conditions expressions, by what is to be noted when they are true
 * @param slowdown how many times slower than it is the page's thread runs
 * @returns ms from the start of navigation until each was true and drawn
 * @throws when that takes longer than a minute
 */
export async function coldStart<Name extends string>(
  phone: Phone,
  path: string,
  conditions: Record<Name, string>,
  { slowdown, isOffline }: { slowdown: number; isOffline: boolean },
): Promise<Record<Name, number>> {
  const browser = await phone.openBare();
  try {
    await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await browser.send('Page.enable');
    await browser.send('Network.enable');
    await browser.send('Network.emulateNetworkConditions', {
      offline: isOffline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    const notes = Object.values<string>(conditions).map(noteWhen);
    const source = `window.noted = Promise.all([${notes.join()}]);`;
    await browser.send('Page.addScriptToEvaluateOnNewDocument', { source });
    await browser.send('Page.navigate', { url: phone.origin + path });
    const times = (await Promise.race([
      browser.evaluate('window.noted'),
      wait(PATIENCE_MS, null, { ref: false }),
    ])) as number[] | null;
    if (!times) throw new Error(`${path} was not there after ${PATIENCE_MS} ms`);
    return Object.fromEntries(
      Object.keys(conditions).map((name, i) => [name, times[i] ?? Number.NaN]),
    ) as Record<Name, number>;
  } finally {
    await browser.close();
  }
}
