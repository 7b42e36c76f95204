import type { BrowserContext, Page } from '@playwright/test';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import type { Place } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { expect, position, test, untilStored } from '../browser.ts';
import { addDog, dogRow, untilSaved } from '../my-dogs.ts';
import { record } from '../proximity/recording.ts';

/** What some browsers lack (docs/browsers.md), taken away from Chromium: people are told, and warnings, dogs and chats still work. */
interface Row {
  missing: string;
  /** Takes it away, before the page's own scripts run. */
  take?: (context: BrowserContext) => Promise<unknown>;
  /** The dashboard by default. */
  path?: string;
  /** Whether the app is stored on the device. */
  isStored?: boolean;
  /** Expects what people are told. The walk goes on. */
  told: (page: Page, context: BrowserContext, place: Place) => Promise<unknown>;
  /** Where changes of documents can't be made. */
  hasNoDocuments?: boolean;
}

/** Removes globals, or properties of `navigator`. */
const without =
  (globals: string[], ofNavigator: string[] = []) =>
  (context: BrowserContext) =>
    context.addInitScript(
      ([names, properties]) => {
        for (const name of names) Reflect.deleteProperty(globalThis, name);
        for (const property of properties) Reflect.deleteProperty(Navigator.prototype, property);
      },
      [globals, ofNavigator] as const,
    );

const says = (text: string | RegExp) => (page: Page) =>
  expect(page.getByText(text).first()).toBeVisible();

/** Expects a text among what may hide a warning, which its line announces. */
const amongProblems = (text: string) => async (page: Page) => {
  await page.getByText('Don’t miss a warning').click();
  await says(text)(page);
};

/** Expects a text in the settings, and comes back. */
const inSettings = (section: string, text: string | RegExp) => async (page: Page) => {
  await page.goto(`/settings#${section}`);
  await says(text)(page);
  await page.goto('/home');
};

const IN_MEMORY = /^This browser isn’t storing anything on this device\./;
const BLOCKED = /^This browser blocks a part .* needs for chats, friends and working offline/;
const UNABLE = 'Unable to access your location';

const sharing = (page: Page) => page.getByRole('region', { name: 'Location sharing' });
const isTracking = (page: Page) => expect(sharing(page)).toContainText('Location tracking active');

const ROWS: Row[] = [
  {
    missing: 'vibration',
    take: without([], ['vibrate']),
    told: async (page) => {
      await inSettings(
        'alerts',
        'Not available on this device; your other devices may support it.',
      )(page);
      await page.goto('/home?open=test-alerts');
      await says('not on this device')(page);
      await page.goto('/home');
    },
  },
  {
    missing: 'push and notifications before the installation, as on an iPhone',
    take: without(['Notification', 'PushManager']),
    path: '/home?platform=ios',
    told: amongProblems('notifications need Leashwise on your home screen'),
  },
  {
    missing: 'push and notifications',
    take: without(['Notification', 'PushManager']),
    told: inSettings(
      'notifications',
      'This browser can’t receive notifications when the app is closed.',
    ),
  },
  {
    missing: '`new Notification`, as in Chrome on Android',
    take: (context) =>
      context.addInitScript(() => {
        const shown: string[] = [];
        Object.assign(globalThis, { shown });
        class Refusing {
          static readonly permission = 'granted';
          constructor() {
            throw new TypeError('Illegal constructor');
          }
        }
        Object.defineProperty(globalThis, 'Notification', { value: Refusing });
        ServiceWorkerRegistration.prototype.showNotification = async (title) =>
          void shown.push(title);
      }),
    isStored: true,
    told: (page) =>
      expect
        .poll(() => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown))
        .toEqual(['HIGH: Rex needs space']),
  },
  {
    missing: 'a wake lock',
    take: without([], ['wakeLock']),
    told: amongProblems('Keep your screen on.'),
  },
  {
    missing: 'a wake lock on low battery',
    take: (context) =>
      context.addInitScript(() => {
        WakeLock.prototype.request = () =>
          Promise.reject(new DOMException('Low battery', 'NotAllowedError'));
      }),
    told: amongProblems('Keep your screen on.'),
  },
  {
    missing: 'sound and speech before a touch',
    take: record,
    told: async (page) => {
      await says('Sound is blocked. Turn on')(page);
      await page.getByRole('button', { name: 'Sound is blocked. Turn on' }).click();
      await says('Sound is on. Hear a warning')(page);
    },
  },
  {
    missing: 'sound and speech',
    take: without(['AudioContext', 'speechSynthesis', 'SpeechSynthesisUtterance']),
    told: async (page) => {
      await amongProblems('This browser can’t play alert sounds.')(page);
      await says('This browser can’t speak, so warnings won’t be read aloud.')(page);
    },
  },
  {
    missing: 'all stored data, as in Safari after seven days without a visit',
    told: async (page, context) => {
      await page.goto('/walks');
      await page.goto('/favicon.svg');
      const devtools = await context.newCDPSession(page);
      const storageTypes = 'indexeddb,local_storage,cache_storage,service_workers';
      const origin = new URL(test.info().project.use.baseURL!).origin;
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
      await page.goto('/walks');
      await says(/Safari does after seven days without a visit/)(page);
      await page.goto('/home');
      await expect(dogRow(page, 'Bella')).toBeVisible();
      await untilSaved(page);
    },
  },
  {
    missing: 'the stored documents alone',
    told: async (page, context) => {
      await untilSaved(page);
      await page.goto('/favicon.svg');
      const devtools = await context.newCDPSession(page);
      const origin = new URL(test.info().project.use.baseURL!).origin;
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
      await page.goto('/home');
      await says(/^This browser deleted what was stored on this device\./)(page);
    },
  },
  {
    missing: 'room, as in a private window with a small quota',
    take: async (context) => {
      const page = context.pages()[0]!;
      const devtools = await context.newCDPSession(page);
      const origin = new URL(test.info().project.use.baseURL!).origin;
      await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    },
    told: says(/^This browser can’t store your edits right now|isn’t storing anything/),
  },
  {
    missing: 'IndexedDB',
    take: without(['indexedDB']),
    told: says(IN_MEMORY),
  },
  {
    missing: 'localStorage and IndexedDB, because cookies are blocked for it',
    take: (context) =>
      context.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
          Object.defineProperty(globalThis, name, {
            get() {
              throw new DOMException('Access is denied for this document.', 'SecurityError');
            },
          });
      }),
    told: async (page) => {
      await says(IN_MEMORY)(page);
      await page.getByRole('button', { name: 'Start walk' }).click();
    },
  },
  {
    missing: 'the service worker',
    take: without([], ['serviceWorker']),
    told: inSettings(
      'notifications',
      'This browser can’t receive notifications when the app is closed.',
    ),
  },
  {
    missing: 'WebAssembly, IndexedDB and the service worker, as in Lockdown Mode',
    take: without(['WebAssembly', 'indexedDB'], ['serviceWorker']),
    told: says(BLOCKED),
    hasNoDocuments: true,
  },
  {
    missing: 'the permissions API',
    take: without([], ['permissions']),
    told: async (page, context, place) => {
      await context.clearPermissions();
      await context.grantPermissions([]);
      await page.reload();
      await expect(sharing(page)).toContainText(UNABLE);
      await position(context, place);
      await sharing(page).getByRole('button', { name: 'Try again' }).click();
    },
  },
  {
    missing: 'Web Locks and the storage manager',
    take: without([], ['locks', 'storage']),
    told: inSettings('this-device', 'Your browser doesn’t report how much.'),
  },
  {
    missing: 'recording, the camera and sharing',
    take: without(['MediaRecorder'], ['mediaDevices', 'share']),
    told: async (page) => {
      await page.goto('/social');
      await expect(page.getByRole('button', { name: 'My QR code' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Scan a QR code' })).toHaveCount(0);
      await page.goto('/home');
    },
  },
  {
    missing: 'what Safari lacks without a say: idle callbacks and the user’s activation',
    take: without(['requestIdleCallback', 'cancelIdleCallback'], ['userActivation']),
    told: isTracking,
  },
];

for (const { missing, take, path = '/home', isStored = false, told, hasNoDocuments } of ROWS)
  test(`without ${missing}, people are told, and the rest works`, async ({ owner }) => {
    const place = { latitude: -60 + Math.random() * 8, longitude: -30 + Math.random() * 60 };
    const rex = { name: 'Rex', sound_type: 'leash_on' } as const;
    const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true });
    const { page, context, call } = await owner({
      name: 'Ana',
      sharing: true,
      at: place,
      context: { serviceWorkers: isStored ? 'allow' : 'block' },
    });
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(String(error)));
    await take?.(context);
    await page.goto(path);
    if (isStored) await untilStored(page);

    const warns = async () => {
      await isTracking(page);
      const near = { ...place, latitude: place.latitude + 20 / 111_320, accuracy: 5 };
      await sam.call(reportLocation, { body: near });
      await expect(page.getByRole('region', { name: 'Dog nearby' })).toContainText(
        'Rex needs space',
      );
    };
    // It's told by the warning itself.
    if (isStored) await warns();
    await told(page, context, place);
    if (!isStored) await warns();
    const warning = page.getByRole('region', { name: 'Dog nearby' });
    await warning.getByRole('button', { name: 'Got it' }).click();
    if (hasNoDocuments) await call(createDog, { body: { name: 'Kit', sound_type: 'leash_off' } });
    else await addDog(page, { name: 'Kit', sound_type: 'leash_off' });
    await expect
      .poll(async () => (await call(listDogs)).dogs.map(({ name }) => name))
      .toEqual(['Bella', 'Kit']);
    await expect(page.getByText('This part of the app')).toHaveCount(0);
    expect(broken).toEqual([]);
  });
