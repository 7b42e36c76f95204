import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import type { Claims, DeviceCalls } from '../../tests/chat/simulation/device-protocol.ts';
import type { Device } from '../../tests/chat/simulation/device.ts';
import type { Line } from './history.ts';

const WITHIN_MS = 5_000;
/** For what is there or not. */
const QUICK_MS = 500;
const VIEWPORT = { width: 1_000, height: 740 };
/** How much the processor is slowed at most. */
const SLOWEST = 6;
/** What `setReadMs` gives at most. */
const READ_MS_MAX = 120;
/** Bytes that a full disk has room for. */
const FULL_BYTES = 1;
/** Devices in Node run ten times faster than those in Chromium. */
const NODE_SPEED = 10;

type Given<C extends keyof DeviceCalls> = DeviceCalls[C]['given'];

/** The app in a browser profile of its own, with the chat with one friend on its screen. What it claims is read from the screen. */
export class ChromiumDevice implements Device, Line {
  readonly #browser: Browser;
  readonly #friend: () => string;
  #context: BrowserContext | null = null;
  #page: Page | null = null;
  #cdp: CDPSession | null = null;
  #origin = '';
  readonly #seen = new Set<string>();
  isFaulty = false;
  #rate: number | null = null;
  #slowed = 1;
  readonly #freeze: (ms: number) => void;

  /** @param friend returns the id of the friend. @param freeze freezes the sync server */
  constructor(browser: Browser, friend: () => string, freeze: (ms: number) => void) {
    this.#browser = browser;
    this.#friend = friend;
    this.#freeze = freeze;
  }

  get rate(): number | null {
    return this.#rate;
  }
  set rate(rate: number | null) {
    this.#rate = rate;
    void this.#throttle();
  }
  open = async (): Promise<string> => '';
  cut(): void {}
  restore(): void {}
  hold(ms: number): void {
    if (ms > 0) this.#freeze(ms);
  }
  async close(): Promise<void> {
    await this.#context?.close();
  }

  call<C extends keyof DeviceCalls>(
    call: C,
    ...[given]: DeviceCalls[C]['given'] extends null ? [] : [DeviceCalls[C]['given']]
  ): Promise<DeviceCalls[C]['answer']> {
    const done = this.#answer(call, given as never);
    return done as Promise<DeviceCalls[C]['answer']>;
  }

  async #answer(call: keyof DeviceCalls, given: never): Promise<unknown> {
    switch (call) {
      case 'begin':
        return this.#begin(given);
      case 'kill':
        return this.#kill();
      case 'start':
        return this.#start();
      case 'write':
        return this.#write(given);
      case 'draft':
        return this.#type((given as Given<'draft'>).text);
      case 'unsend':
        return this.#unsend(given);
      case 'claims':
        return this.#claims();
      case 'read':
        return [];
      case 'seen':
        return [...this.#seen];
      case 'setOnline':
        await this.#context?.setOffline(!(given as boolean));
        return null;
      case 'setReadMs':
        this.#slowed = 1 + ((given as number) / READ_MS_MAX) * (SLOWEST - 1);
        await this.#throttle();
        return null;
      case 'setFull':
        await this.#send('Storage.overrideQuotaForOrigin', {
          origin: this.#origin,
          ...(given ? { quotaSize: FULL_BYTES } : {}),
        });
        return null;
      case 'lose':
        await this.#send('Storage.clearDataForOrigin', {
          origin: this.#origin,
          storageTypes: 'indexeddb',
        });
        return null;
      case 'endSession':
        await this.#context?.clearCookies();
        return null;
      case 'signIn':
        return this.#signIn((given as Given<'signIn'>).cookie);
      case 'end':
        await this.close();
        return null;
      default:
        // Dogs and blocks are on other screens.
        return false;
    }
  }

  async #begin({ network: { origin, cookie } }: Given<'begin'>): Promise<null> {
    this.#origin = origin;
    this.#context = await this.#browser.newContext({ baseURL: origin, viewport: VIEWPORT });
    this.#context.setDefaultTimeout(WITHIN_MS);
    // tsx names the functions that the page runs with it.
    await this.#context.addInitScript('globalThis.__name = (each) => each');
    await this.#context.exposeBinding('noteSeen', (_, text: string) => this.#seen.add(text));
    await this.#context.addInitScript(() => {
      const look = () => {
        for (const article of document.querySelectorAll('[role=log] article'))
          if (!article.getAttribute('aria-label')?.startsWith('You'))
            for (const [text] of (article.textContent ?? '').matchAll(/(ann|bob) [0-9a-f]{8}/g))
              (window as unknown as { noteSeen(text: string): void }).noteSeen(text);
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true });
    });
    await this.#setCookie(cookie);
    await this.#start();
    return null;
  }

  async #setCookie(cookie: string): Promise<void> {
    const at = cookie.indexOf('=');
    await this.#context!.addCookies([
      { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: this.#origin },
    ]);
  }

  async #start(): Promise<null> {
    if (this.#page) return null;
    const page = await this.#context!.newPage();
    this.#cdp = await this.#context!.newCDPSession(page);
    this.#page = page;
    await this.#throttle();
    // Without a network, the service worker answers, once it has the app.
    await page
      .goto(`/chat/${this.#friend()}`, { waitUntil: 'commit', timeout: WITHIN_MS })
      .catch(() => {});
    return null;
  }

  /** The process of the page ends without a warning to the app. */
  async #kill(): Promise<null> {
    const page = this.#page;
    this.#page = null;
    if (!page) return null;
    const isKilled = page.waitForEvent('crash', { timeout: WITHIN_MS }).catch(() => null);
    void this.#send('Page.crash', {});
    await isKilled;
    this.#cdp = null;
    await page.close().catch(() => {});
    return null;
  }

  async #signIn(cookie: string): Promise<null> {
    await this.#setCookie(cookie);
    await this.#page?.close();
    this.#page = null;
    return this.#start();
  }

  async #write({ text }: Given<'write'>): Promise<boolean> {
    if (!(await this.#type(text))) return false;
    await this.#input()?.press('Enter');
    return this.#isShown(text);
  }

  async #type(text: string): Promise<boolean> {
    const input = this.#input();
    if (!input || !(await input.isEnabled({ timeout: QUICK_MS }).catch(() => false))) return false;
    return input.fill(text, { timeout: WITHIN_MS }).then(
      () => true,
      () => false,
    );
  }

  #input = () => this.#page?.getByLabel(/^Message to/);

  #isShown = async (text: string): Promise<boolean> =>
    this.#page!.getByRole('log')
      .getByRole('article')
      .filter({ hasText: text })
      .waitFor({ timeout: WITHIN_MS })
      .then(
        () => true,
        () => false,
      );

  async #unsend({ text }: Given<'unsend'>): Promise<boolean> {
    const page = this.#page;
    if (!page) return false;
    const message = page.getByRole('log').getByRole('article').filter({ hasText: text });
    try {
      await message
        .getByRole('button', { name: /^Actions for the message/ })
        .press('Enter', { timeout: WITHIN_MS });
      await page.getByRole('menuitem', { name: 'Unsend' }).click({ timeout: WITHIN_MS });
      return true;
    } catch {
      await page.keyboard.press('Escape').catch(() => {});
      return false;
    }
  }

  /** The sentence of the chip is read from its dialog. */
  async #claims(): Promise<Claims | null> {
    const page = this.#page;
    if (!page) return null;
    try {
      return await page.evaluate(async () => {
        const chip = document.querySelector<HTMLElement>('header [data-sync]');
        const label = chip?.textContent?.trim() ?? '';
        const dialogOf = () => document.querySelector('[aria-label="About saving"]');
        if (!dialogOf()) chip?.click();
        const until = performance.now() + 300;
        while (!dialogOf() && performance.now() < until)
          await new Promise((resolve) => setTimeout(resolve, 20));
        const explanation = dialogOf()?.textContent ?? '';
        const articles = [...document.querySelectorAll('[role=log] article')];
        const messages = articles.flatMap((article) => {
          const text = /(ann|bob) [0-9a-f]{8}/.exec(article.textContent ?? '')?.[0];
          if (!text) return [];
          const isOwn = article.getAttribute('aria-label')?.startsWith('You') ?? false;
          const mark = article.querySelector<HTMLElement>('[data-delivery]');
          return [{ text, isOwn, delivery: mark?.dataset['delivery'] ?? null }];
        });
        const input = document.querySelector('textarea');
        if (dialogOf()) chip?.click();
        return {
          threads: [{ isHere: Boolean(input && !input.disabled), messages, unread: [] }],
          dogs: [],
          chip: { label: label.replace(/ ·.*/, ''), explanation },
          isLossSaid: document.body.textContent?.includes('deleted what was stored') ?? false,
          refusedCalls: [],
        };
      });
    } catch {
      // It is navigating.
      return null;
    }
  }

  async #throttle(): Promise<void> {
    const bytes = this.#rate === null ? -1 : this.#rate / NODE_SPEED;
    await this.#send('Emulation.setCPUThrottlingRate', { rate: this.#slowed });
    await this.#send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    });
  }

  async #send(method: string, params: object): Promise<void> {
    const sent = this.#cdp?.send(method as never, params as never) as Promise<unknown> | undefined;
    // A page that crashed does not answer.
    await Promise.race([sent?.catch(() => {}), wait(WITHIN_MS)]);
  }
}
