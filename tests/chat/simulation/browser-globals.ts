import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { WebSocket } from 'ws';

/** So much faster than ours time goes on a simulated device. */
const SPEED = 10;

const RealDate = Date;
const startedAt = RealDate.now();
let skewMs = 0;

/** By how much the device's clock is wrong. */
export function setClock(ms: number): void {
  skewMs = ms;
}

/** A device's own network: what it may reach, and as whom. */
export const network = { origin: '', cookie: '', isOnline: true };

const realFetch = fetch;
const realTimeout = setTimeout;
const realInterval = setInterval;

class Locks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(name: string, ...rest: unknown[]): Promise<unknown> {
    const work = rest.at(-1) as (lock: object) => unknown;
    const before = this.#held.get(name) ?? Promise.resolve();
    const mine = before.then(() => work({ name }));
    this.#held.set(
      name,
      mine.catch(() => null),
    );
    return mine;
  }
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

/** A browser that was never used: nothing kept. */
export function wipe(): void {
  Object.assign(globalThis, { indexedDB: new IDBFactory(), localStorage: newLocalStorage() });
}

/** A browser's socket tells of an error; Node's ends the process where nobody listens. */
function tameSockets(): void {
  const emit = WebSocket.prototype.emit;
  WebSocket.prototype.emit = function (
    this: WebSocket,
    event: string | symbol,
    ...args: unknown[]
  ) {
    return event === 'error' && this.listenerCount('error') === 0
      ? false
      : (emit as (...all: unknown[]) => boolean).call(this, event, ...args);
  };
}

/** Makes of this process what the client's code takes for a browser. To be called before any of it is loaded. */
export function becomeBrowser(): void {
  tameSockets();
  // A browser says so on its console, and goes on.
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, (error) => console.error(event, error));
  const window = Object.assign(new EventTarget(), { location: { protocol: 'http:', host: '' } });
  const document = Object.assign(new EventTarget(), { hidden: false });
  const soon = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    realTimeout(callback, ms / SPEED, ...args);
  Object.defineProperty(globalThis, 'navigator', {
    value: {
      get onLine() {
        return network.isOnline;
      },
      locks: new Locks(),
      storage: { persisted: () => Promise.resolve(true), persist: () => Promise.resolve(true) },
    },
  });
  Object.assign(globalThis, {
    window,
    document,
    location: window.location,
    IDBKeyRange,
    WebSocket,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    requestAnimationFrame: (callback: () => void) => soon(callback),
    setTimeout: soon,
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
    fetch: (path: string, init: RequestInit = {}) => {
      if (!network.isOnline) return Promise.reject(new TypeError('Failed to fetch'));
      const headers = new Headers(init.headers);
      headers.set('cookie', network.cookie);
      return realFetch(network.origin + path, { ...init, headers });
    },
  });
  wipe();
}

const now = () => startedAt + (RealDate.now() - startedAt) * SPEED + skewMs;

/** Has the device notice that its network came or went. */
export function setOnline(isOnline: boolean): void {
  network.isOnline = isOnline;
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}
