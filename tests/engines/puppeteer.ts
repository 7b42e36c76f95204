import { type Browser, type ElementHandle, launch, type Page } from 'puppeteer-core';
import { onPath } from '../../scripts/stack/programs.ts';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/test/chromium.ts';
import { PHONE, type Driver, type Engine, type Script } from './engine.ts';

/** A command to a browser whose page is replaced may never be answered; it is tried again. */
const COMMAND_MS = 20_000;
/** On a busy machine, Firefox takes more than half a minute. */
const LAUNCH_MS = 120_000;

const FIREFOX = 'firefox-esr';

const common = {
  defaultViewport: PHONE,
  headless: true,
  acceptInsecureCerts: true,
  timeout: LAUNCH_MS,
  protocolTimeout: COMMAND_MS,
} as const;

/** Firefox by WebDriver BiDi, which it speaks itself. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: () => (onPath(FIREFOX, process.env) ? [] : [FIREFOX]),
  open: () =>
    open(() =>
      launch({
        ...common,
        browser: 'firefox',
        executablePath: onPath(FIREFOX, process.env)!,
      }),
    ),
};

export const chromium: Engine = {
  name: 'Chromium',
  missing: () => (findChromium(process.env) ? [] : ['chromium']),
  open: () =>
    open(() =>
      launch({
        ...common,
        browser: 'chrome',
        executablePath: findChromium(process.env)!,
        args: CHROMIUM_FLAGS,
      }),
    ),
};

async function open(start: () => Promise<Browser>): Promise<Driver> {
  const browser = await start();
  try {
    const [page = await browser.newPage()] = await browser.pages();
    page.setDefaultTimeout(COMMAND_MS);
    return driverOf(browser, page);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

const callOf = ({ source, args }: Script): string => `(${source})(...${JSON.stringify(args)})`;

function driverOf(browser: Browser, page: Page): Driver {
  const withElement = async (
    script: Script,
    act: (element: ElementHandle) => Promise<unknown>,
  ): Promise<boolean> => {
    const handle = await page.evaluateHandle(callOf(script));
    const element = handle.asElement() as ElementHandle | null;
    try {
      if (element) await act(element);
      return element !== null;
    } finally {
      await handle.dispose();
    }
  };
  const loaded = { waitUntil: 'domcontentloaded' } as const;
  return {
    goto: async (url) => void (await page.goto(url, loaded)),
    reload: async () => void (await page.reload(loaded)),
    run: (script) => page.evaluate(callOf(script)),
    click: (script) => withElement(script, (element) => element.click()),
    type: (script, text) =>
      withElement(script, async (element) => {
        await element.focus();
        await page.keyboard.down('Control');
        await page.keyboard.press('a');
        await page.keyboard.up('Control');
        await page.keyboard.press('Backspace');
        await element.type(text);
      }),
    choose: (script, path) =>
      withElement(script, (element) =>
        (element as ElementHandle<HTMLInputElement>).uploadFile(path),
      ),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}
