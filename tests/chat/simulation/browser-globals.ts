import { AsyncLocalStorage } from 'node:async_hooks';
import { forceCloseDatabase, IDBFactory } from 'fake-indexeddb';
import { WebSocket } from 'ws';
import { INDEXED_DB_CLASSES } from '../../fresh-indexed-db.ts';
import { ignoreSocketErrors } from '../../ignore-socket-errors.ts';
import { FakeLocks } from '../../sync/outbox/fake-locks.ts';

/** How much faster time passes on a simulated device. */
const SPEED = 10;

const RealDate = Date;
const startedAt = RealDate.now();
/** What a slow processor adds to each task, per time that it is slower, in real ms. */
const TASK_MS = 3;
/** How often a call that waits looks whether it may go on, in real ms. */
const LOOK_MS = 50;
const realFetch = fetch;
const realTimeout = setTimeout;
const realInterval = setInterval;

/** The network of a device: its servers and its session. */
export interface Network {
  /** The origin of the API. */
  origin: string;
  /** The `host:port` of its link to the sync server. */
  address: string;
  cookie: string;
}

/** Remembers its connections, so that they can be closed like a browser does. */
class RecordingFactory extends IDBFactory {
  readonly #connections: IDBDatabase[] = [];
  override open(...args: Parameters<IDBFactory['open']>): ReturnType<IDBFactory['open']> {
    const request = super.open(...args);
    request.addEventListener('success', () => void this.#connections.push(request.result as never));
    return request;
  }
  /** @param name of the database; all by default */
  closeAll(name?: string): void {
    for (const connection of this.#connections)
      if (name === undefined || connection.name === name) forceCloseDatabase(connection as never);
  }
}

/** A fresh browser profile with the APIs that the client code uses. */
export class Browser {
  readonly network: Network;
  /** The clock error in ms. */
  readonly skewMs: number;
  indexedDB = new RecordingFactory();
  /** How long the device takes to read stored documents, in real ms. */
  readMs = 0;
  /** How many times slower the processor is than usual. */
  slowdown = 1;
  /** No call of the API is answered before, by `performance.now()`. */
  callsHeldUntil = 0;
  /** Whether IndexedDB has no room for anything more. */
  isFull = false;
  readonly localStorage = newLocalStorage();
  readonly window = new EventTarget();
  readonly locks = new FakeLocks();
  isOnline = true;

  constructor(network: Network, skewMs: number) {
    this.network = network;
    this.skewMs = skewMs;
  }

  /** Fires the event for the network going up or down. */
  setOnline(isOnline: boolean): void {
    this.isOnline = isOnline;
    this.window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  /** Loses all that IndexedDB has, as when a browser clears it, also under an open app. */
  loseIndexedDB(): void {
    const before = this.indexedDB;
    this.indexedDB = new RecordingFactory();
    before.closeAll();
  }

  /** Runs client code in this browser, including its asynchronous work. */
  run<T>(work: () => T): T {
    return browsers.run(this, work);
  }
}

for (const method of ['put', 'add'] as const) {
  const store = INDEXED_DB_CLASSES.IDBObjectStore.prototype;
  const original = store[method];
  store[method] = function (...args) {
    if (browsers.getStore()?.isFull) throw new DOMException('No room left', 'QuotaExceededError');
    return original.apply(this, args);
  };
}

/** The browser of the running code. One process contains many browsers. */
const browsers = new AsyncLocalStorage<Browser>();

/** Returns the browser of the running code. @throws outside of one */
export function current(): Browser {
  const browser = browsers.getStore();
  if (!browser) throw new Error('This code runs outside of a browser');
  return browser;
}

/** `localStorage`, whose keys `Object.keys` lists. */
function newLocalStorage(): Storage {
  const methods = {
    getItem: (key: string) => (Object.hasOwn(store, key) ? (store[key] ?? null) : null),
    setItem: (key: string, value: string) => void (store[key] = value),
    removeItem: (key: string) => void delete store[key],
  };
  const store: Record<string, string> = Object.create(methods);
  return store as unknown as Storage;
}

const now = () =>
  startedAt + (RealDate.now() - startedAt) * SPEED + (browsers.getStore()?.skewMs ?? 0);

const listening = {
  addEventListener: (...args: Parameters<EventTarget['addEventListener']>) =>
    current().window.addEventListener(...args),
  removeEventListener: (...args: Parameters<EventTarget['removeEventListener']>) =>
    current().window.removeEventListener(...args),
};

/** Installs browser globals that resolve to the current browser. Call it before loading client code. */
export function becomeBrowsers(): void {
  ignoreSocketErrors();
  // A browser logs the error and continues.
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, (error) => console.error(event, error));
  const location = {
    protocol: 'http:',
    pathname: '/home',
    get host() {
      return current().network.address;
    },
  };
  const lateMs = () => ((browsers.getStore()?.slowdown ?? 1) - 1) * TASK_MS;
  const scaledTimeout = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    realTimeout(callback, ms / SPEED + lateMs(), ...args);
  Object.defineProperties(globalThis, {
    navigator: {
      value: {
        get onLine() {
          return current().isOnline;
        },
        get locks() {
          return current().locks;
        },
        storage: { persisted: () => Promise.resolve(true), persist: () => Promise.resolve(true) },
      },
    },
    indexedDB: { get: () => current().indexedDB },
    localStorage: { get: () => current().localStorage },
  });
  Object.assign(globalThis, listening, {
    // As the build defines it.
    __PRODUCT_NAME__: 'Leashwise',
    __SIGN_IN_NAME__: 'Google',
    window: { ...listening, location },
    document: Object.assign(new EventTarget(), { hidden: false }),
    location,
    ...INDEXED_DB_CLASSES,
    WebSocket,
    requestAnimationFrame: (callback: () => void) => scaledTimeout(callback),
    setTimeout: scaledTimeout,
    setInterval: (callback: (...args: unknown[]) => void, ms: number, ...args: unknown[]) =>
      realInterval(callback, ms / SPEED, ...args),
    // No other tabs: in one process they would be the tabs of other devices.
    BroadcastChannel: class extends EventTarget {
      onmessage = null;
      postMessage() {}
      close() {}
    },
    Date: class extends RealDate {
      constructor(...given: []) {
        super(...((given.length > 0 ? given : [now()]) as []));
      }
      static override now = now;
    },
    fetch: async (path: string, init: RequestInit = {}) => {
      const browser = current();
      const { network } = browser;
      if (!browser.isOnline) throw new TypeError('Failed to fetch');
      const headers = new Headers(init.headers);
      headers.set('cookie', network.cookie);
      const response = await realFetch(network.origin + path, { ...init, headers });
      const leftMs = () => browser.callsHeldUntil - performance.now();
      for (let left = leftMs(); left > 0; left = leftMs()) {
        await new Promise((resolve) => void realTimeout(resolve, Math.min(left, LOOK_MS)));
        init.signal?.throwIfAborted();
      }
      if (lateMs() > 0) await new Promise((resolve) => void realTimeout(resolve, lateMs()));
      return response;
    },
  });
}
