import { existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cookieName } from '#shared/server/cookie-names.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { SIGNED_IN_COOKIE } from '#shared/session/cookies.ts';
import type { Claims, DeviceCalls } from '../../../tests/chat/simulation/device-protocol.ts';
import type { Device } from '../../../tests/chat/simulation/device.ts';
import { scratchDirectory } from '../../location/cleanup.ts';
import { openBare, Unanswered, type BareBrowser } from '../../screens/cdp-browser.ts';
import { DeviceServer } from './device-server.ts';
import { installOracle, type PageOracle, type Shown } from './page-oracle.ts';

/** With the list of chats beside the thread, and the chip above both. */
const VIEWPORT = { width: 1_100, height: 800 };
/** How long the app may take to end a session. */
const ENDS_WITHIN_MS = 5_000;
const READS_FOR_MS = 400;
/** Smaller than what is stored. */
const FULL_BYTES = 1;
const COOKIE_DAYS = 30;
/** The screen of whoever is not signed in. */
const SIGNED_OUT = '/welcome';
/** What is said of a page that another one replaces. */
const GONE = /context|navigated|oracle is not defined/;
/** The app does that for members only, when it is idle. */
const REGISTER = `navigator.serviceWorker.register('/service-worker.js')
  .then(() => navigator.serviceWorker.ready).then(() => {})`;
const TRIES = 3;
const LOADS_WITHIN_MS = 500;

export interface ChromiumSettings {
  /** Odd ones begin with another kind of kill. */
  index: number;
  /** A built client. */
  clientDir: string;
  publicOrigin: string;
  /** Whether nobody looks at its screen unless they read: being shown is being read. */
  isPocketed: boolean;
  /** Called with its owner before the app is opened for the first time in a history. */
  prepare(user: CurrentUser): Promise<void>;
}

type Calls = {
  [C in keyof DeviceCalls]?: (
    given: DeviceCalls[C]['given'],
  ) => Promise<DeviceCalls[C]['answer']> | DeviceCalls[C]['answer'];
};

/**
 * A device with the app in a Chromium of its own. It is used by its screens: keys are pressed, buttons too, and what it claims are the
 * texts on the screen. Each history begins with a profile in which the service worker has stored the app, and nothing else is. A
 * browser that doesn't answer is ended, and so is the history.
 */
export class ChromiumDevice implements Device {
  readonly #settings: ChromiumSettings;
  readonly #server: DeviceServer;
  readonly #folder = scratchDirectory('truth-profile');
  /** The profile that histories begin with. */
  readonly #installed = join(this.#folder, 'installed');
  #histories = 0;
  #browser: BareBrowser | null = null;
  #isOpen = false;
  #kills = 0;
  #slowdown = 1;
  #isFull = false;
  #isOnline = true;
  #cookie = '';
  #path = '';
  /** The texts of friends that were on the screen before the page was last loaded. */
  readonly #seen = new Set<string>();
  /** The dogs that were last on the screen. */
  #dogs: string[] = [];

  constructor(settings: ChromiumSettings) {
    this.#settings = settings;
    this.#server = new DeviceServer(settings.clientDir, settings.publicOrigin);
  }

  open = (): Promise<void> => this.#server.open();

  async close(): Promise<void> {
    await this.#end();
    await this.#server.close();
  }

  async call<C extends keyof DeviceCalls>(
    call: C,
    ...[given]: DeviceCalls[C]['given'] extends null ? [] : [DeviceCalls[C]['given']]
  ): Promise<DeviceCalls[C]['answer']> {
    const make = this.#calls[call] as
      | ((given: unknown) => Promise<DeviceCalls[C]['answer']>)
      | undefined;
    if (!make) throw new Error(`Chromium has no ${call}`);
    try {
      return await make(given ?? null);
    } catch (error) {
      if (error instanceof Unanswered) await this.#end();
      throw error;
    }
  }

  readonly #calls: Calls = {
    begin: async ({ user, network }) => {
      this.#server.network = network;
      this.#server.refused = [];
      this.#cookie = network.cookie;
      this.#path = '/social?tab=chat';
      this.#dogs = [];
      this.#seen.clear();
      this.#kills = this.#settings.index;
      this.#slowdown = 1;
      this.#isFull = false;
      if (!existsSync(this.#installed)) await this.#install();
      await cp(this.#installed, this.#profile(++this.#histories), { recursive: true });
      await this.#launch();
      await this.#setOnline(true);
      await this.#settings.prepare(user);
      await this.#open();
      return null;
    },
    kill: async () => {
      if (!this.#isOpen) return null;
      await this.#noteSeen();
      this.#isOpen = false;
      // In turn the browser, and the page alone, whose browser has what is not on the disk yet.
      if (this.#kills++ % 2 === 0) {
        await this.#browser?.kill();
        this.#browser = null;
      } else {
        this.#browser?.send('Page.crash').catch(() => {});
        await this.#browser?.renewPage();
        await this.#prepare();
      }
      return null;
    },
    start: async () => {
      if (!this.#isOpen) await this.#open();
      return null;
    },
    lose: async (what) => {
      const { origin } = this.#server;
      await this.#launch();
      if (what === 'everything')
        await this.#send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
      // Only a page can lose one of several databases.
      else if (this.#isOpen)
        await this.#send('IndexedDB.deleteDatabase', {
          securityOrigin: origin,
          databaseName: 'leashwise-documents',
        });
      return null;
    },
    endSession: async () => {
      this.#cookie = '';
      await this.#setCookies();
      if (!this.#isOpen) return null;
      await this.#noteSeen();
      await this.#evaluate(`dispatchEvent(new Event('online'))`);
      const end = Date.now() + ENDS_WITHIN_MS;
      while (
        Date.now() < end &&
        (await this.#evaluate(`Boolean(document.querySelector('[data-sync]'))`))
      )
        await wait(50);
      return null;
    },
    signIn: async ({ cookie }) => {
      this.#cookie = cookie;
      await this.#noteSeen();
      await this.#open();
      return null;
    },
    // A slow processor reads slowly, too.
    setReadMs: () => null,
    setSlowdown: async (slowdown) => {
      await this.#slow(slowdown);
      return null;
    },
    holdCalls: (ms) => {
      this.#server.callsHeldUntil = performance.now() + ms;
      return null;
    },
    damage: async (chance) => {
      if (this.#isOpen) await this.#ask('damage', chance);
      return null;
    },
    setFull: async (isFull) => {
      await this.#setFull(isFull);
      return null;
    },
    setOnline: async (isOnline) => {
      await this.#setOnline(isOnline);
      return null;
    },
    write: ({ friend, text }) => this.#write(friend, text),
    writePhoto: async ({ friend, text }) =>
      (await this.#goTo(friend)) && (await this.#ask('attach')) && this.#write(friend, text),
    edit: async ({ friend, text, to }) => {
      if (!(await this.#goTo(friend)) || !(await this.#ask('beginEdit', text))) return false;
      await this.#send('Input.insertText', { text: to });
      await this.#pressEnter();
      return this.#ask('isEdited', to);
    },
    draft: ({ friend, text }) => this.#type(friend, text),
    // Nobody can do these by the screens.
    fillAccount: () => null,
    changeRefused: () => false,
    unsend: async ({ friend, text }) =>
      (await this.#goTo(friend)) && (await this.#ask('unsend', text)),
    addDog: async ({ name }) => {
      if (!this.#isOpen || !(await this.#ask('beginDog'))) return false;
      await this.#send('Input.insertText', { text: name });
      const isTaken = await this.#ask('saveDog');
      await this.#ask('go', this.#path);
      return isTaken;
    },
    read: async ({ friend }) => {
      if (!(await this.#goTo(friend)) || !this.#settings.isPocketed) return [];
      await this.#ask('look', true);
      await wait(READS_FOR_MS);
      return this.#ask('look', false);
    },
    block: async ({ friend }) => {
      if (await this.#goTo(friend)) await this.#ask('block');
      return null;
    },
    claims: ({ friends: [friend], isWhole }) => this.#claims(friend ?? '', isWhole ?? false),
    seen: async () => {
      await this.#noteSeen();
      return [...this.#seen];
    },
    end: async () => {
      this.#server.network = null;
      await this.#end();
      return null;
    },
  };

  /** Returns what is on the screen. @param isWhole whether to look at the dogs, too, on a screen of their own */
  async #claims(friend: string, isWhole: boolean): Promise<Claims | null> {
    if (!(await this.#goTo(friend))) return null;
    const shown: Shown | null = await this.#ask('shown', isWhole);
    if (!shown) return null;
    if (isWhole && shown.chip.label === 'Saved') {
      this.#dogs = (await this.#ask('dogs')) ?? this.#dogs;
      await this.#ask('go', this.#path);
    }
    const { thread, ...said } = shown;
    return { threads: [thread], dogs: this.#dogs, refusedCalls: this.#server.refused, ...said };
  }

  async #write(friend: string, text: string): Promise<boolean> {
    if (!(await this.#type(friend, text))) return false;
    await this.#pressEnter();
    return this.#ask('isWritten', text);
  }

  /** Writes into the composer. */
  async #type(friend: string, text: string): Promise<boolean> {
    if (!(await this.#goTo(friend)) || !(await this.#ask('beginMessage'))) return false;
    await this.#send('Input.insertText', { text });
    return true;
  }

  async #pressEnter(): Promise<void> {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
    await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', text: '\r', ...key });
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }

  /** Shows the thread with a friend. @returns whether the app is open */
  async #goTo(friend: string): Promise<boolean> {
    if (!this.#isOpen) return false;
    this.#path = `/chat/${friend}`;
    // The browser's own error page, as when the app was opened before it was stored.
    if ((await this.#evaluate('location.protocol')) === 'chrome-error:') {
      await this.#open();
      return false;
    }
    const shown = await this.#evaluate('location.pathname');
    // Whoever is not signed in stays there.
    if (shown !== this.#path && shown !== SIGNED_OUT) await this.#ask('go', this.#path);
    return true;
  }

  #profile = (history: number): string => join(this.#folder, String(history));

  /** Ends the browser and forgets what it stored in this history. */
  async #end(): Promise<void> {
    this.#isOpen = false;
    await this.#browser?.kill();
    this.#browser = null;
    await rm(this.#profile(this.#histories), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Has the service worker store the app, for all histories. */
  async #install(): Promise<void> {
    const installing = `${this.#installed}-not-yet`;
    this.#browser = await openBare(installing, VIEWPORT, 0);
    await this.#send('Page.enable');
    await this.#send('Page.navigate', { url: this.#server.origin + SIGNED_OUT });
    await this.#evaluate(REGISTER);
    await this.#browser.close();
    this.#browser = null;
    await rename(installing, this.#installed);
  }

  async #launch(): Promise<void> {
    if (this.#browser) return;
    this.#browser = await openBare(this.#profile(this.#histories), VIEWPORT, 0);
    await this.#prepare();
  }

  /** Prepares an empty page. */
  async #prepare(): Promise<void> {
    await this.#send('Page.enable');
    await this.#send('Network.enable');
    await this.#send('Emulation.setFocusEmulationEnabled', { enabled: true });
    // What tsx compiled names its functions by a helper.
    const install = `(${String(installOracle)})(${this.#settings.isPocketed})`;
    await this.#send('Page.addScriptToEvaluateOnNewDocument', {
      source: `{ const __name = (named) => named; ${install}; }`,
    });
    await this.#setFull(this.#isFull);
    await this.#setOnline(this.#isOnline);
  }

  /** Opens the app, as it is stored on the device. */
  async #open(): Promise<void> {
    await this.#launch();
    await this.#setCookies();
    await this.#send('Page.navigate', { url: this.#server.origin + this.#path });
    this.#isOpen = true;
    await this.#slow(this.#slowdown);
  }

  async #setCookies(): Promise<void> {
    if (!this.#browser) return;
    const { origin } = this.#server;
    await this.#send('Network.clearBrowserCookies');
    if (!this.#cookie) return;
    const [name, value] = this.#cookie.split('=');
    const signedIn = cookieName(this.#settings.publicOrigin, SIGNED_IN_COOKIE);
    const expires = Date.now() / 1_000 + COOKIE_DAYS * 86_400;
    await this.#send('Network.setCookie', { name, value, url: origin, httpOnly: true, expires });
    await this.#send('Network.setCookie', { name: signedIn, value: '1', url: origin, expires });
  }

  async #slow(slowdown: number): Promise<void> {
    this.#slowdown = slowdown;
    if (this.#browser) await this.#send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }

  async #setFull(isFull: boolean): Promise<void> {
    this.#isFull = isFull;
    if (!this.#browser) return;
    const { origin } = this.#server;
    await this.#send('Storage.overrideQuotaForOrigin', {
      origin,
      ...(isFull && { quotaSize: FULL_BYTES }),
    });
  }

  async #setOnline(isOnline: boolean): Promise<void> {
    this.#isOnline = isOnline;
    this.#server.setOnline(isOnline);
    if (!this.#browser) return;
    // What a browser knows of its network.
    await this.#send('Network.emulateNetworkConditions', {
      offline: !isOnline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  }

  async #noteSeen(): Promise<void> {
    if (!this.#isOpen) return;
    for (const each of await this.#ask('seen')) this.#seen.add(each);
  }

  /** Asks the oracle in the page. A page that is being loaded has one a moment later. */
  #ask = <K extends keyof PageOracle>(
    what: K,
    ...given: Parameters<PageOracle[K]>
  ): Promise<Awaited<ReturnType<PageOracle[K]>>> =>
    this.#evaluate(`oracle.${what}(${given.map((each) => JSON.stringify(each)).join()})`) as never;

  async #evaluate(expression: string): Promise<unknown> {
    for (let left = TRIES; ; left--)
      try {
        return await this.#here().evaluate(expression);
      } catch (error) {
        if (left === 0 || !GONE.test((error as Error).message)) throw error;
        await wait(LOADS_WITHIN_MS);
      }
  }

  #send = (method: string, params: object = {}): Promise<unknown> =>
    this.#here().send(method, params);

  #here(): BareBrowser {
    if (!this.#browser) throw new Error('the browser is not open');
    return this.#browser;
  }
}
