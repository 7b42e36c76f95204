import type { BrowserContext, Page } from '@playwright/test';
import { listDogs } from '#shared/dogs/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { expect, test, untilStored } from '../browser.ts';
import { addDog } from '../my-dogs.ts';
import { record } from '../proximity/recording.ts';

/** What some browsers lack (docs/browsers.md), taken away from Chromium: people are told, and warnings and dogs still work. */
interface Row {
  missing: string;
  /** Takes it away, before the page's own scripts run. */
  take?: (context: BrowserContext) => Promise<unknown>;
  /** The dashboard by default. */
  path?: string;
  /** Whether the app is stored on the device. */
  isStored?: boolean;
  /** Expects what people are told. The walk goes on. */
  told: (page: Page) => Promise<unknown>;
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

/** Expects a text in the settings, and comes back. */
const inSettings = (text: string | RegExp) => async (page: Page) => {
  await page.goto('/settings');
  await says(text)(page);
  await page.goto('/home');
};

const sharing = (page: Page) => page.getByRole('region', { name: 'Location sharing' });
const isTracking = (page: Page) => expect(sharing(page)).toContainText('Location tracking active');

const ROWS: Row[] = [
  {
    missing: 'vibration',
    take: without([], ['vibrate']),
    told: async (page) => {
      await inSettings('Not available on this device; your other devices may support it.')(page);
      await page.goto('/home?open=test-alerts');
      await says('not on this device')(page);
      await page.goto('/home');
    },
  },
  {
    missing: 'push and notifications before the installation, as on an iPhone',
    take: without(['Notification', 'PushManager']),
    path: '/home?platform=ios',
    told: says('notifications need Leashwise on your home screen'),
  },
  {
    missing: 'push and notifications',
    take: without(['Notification', 'PushManager']),
    told: inSettings('This browser can’t receive notifications when the app is closed.'),
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
    told: says('Keep your screen on.'),
  },
  {
    missing: 'a wake lock on low battery',
    take: (context) =>
      context.addInitScript(() => {
        WakeLock.prototype.request = () =>
          Promise.reject(new DOMException('Low battery', 'NotAllowedError'));
      }),
    told: says('Keep your screen on.'),
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
      await says('This browser can’t play alert sounds.')(page);
      await says('This browser can’t speak, so warnings won’t be read aloud.')(page);
    },
  },
];

for (const { missing, take, path = '/home', isStored = false, told } of ROWS)
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

    const warning = page.getByRole('region', { name: 'Dog nearby' });
    const warns = async () => {
      await isTracking(page);
      const near = { ...place, latitude: place.latitude + 20 / 111_320, accuracy: 5 };
      await sam.call(reportLocation, { body: near });
      await expect(warning).toContainText('Rex needs space');
    };
    // It's told by the warning itself.
    if (isStored) await warns();
    await told(page);
    if (!isStored) await warns();
    await warning.getByRole('button', { name: 'Got it' }).click();
    await addDog(page, { name: 'Kit', sound_type: 'leash_off' });
    await expect
      .poll(async () => (await call(listDogs)).dogs.map(({ name }) => name))
      .toEqual(['Bella', 'Kit']);
    await expect(page.getByText('This part of the app')).toHaveCount(0);
    expect(broken).toEqual([]);
  });
