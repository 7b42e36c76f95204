import type { BrowserContext, Page, Worker } from '@playwright/test';
import { sendMessage } from '#shared/chat/contract.ts';
import { getPushKey } from '#shared/push/contract.ts';
import { expect, offlineTest as test, screenHeading, untilStored } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
import { untilSaved } from '../my-dogs.ts';
import { startPushService, type TestDevice } from './push-service.ts';

/** Delivers a push to the service worker, as the browser does for its push service. */
async function deliver(page: Page, origin: string, device: TestDevice): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registrationId = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registrationId,
    data: JSON.stringify(device.received.at(-1)?.content),
  });
}

const workerOf = async (context: BrowserContext): Promise<Worker> =>
  context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));

interface Shown {
  title: string;
  body: string;
  tag: string;
  data: unknown;
  close: () => void;
}
type WorkerScope = ServiceWorkerGlobalScope & { shown: Shown[] };

/** Records notifications: a headless browser has none, and denies the permission. */
const recordNotifications = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as WorkerScope;
    scope.shown = [];
    scope.registration.showNotification = async (title, options = {}) => {
      const notification: Shown = {
        title,
        body: options.body ?? '',
        tag: options.tag ?? '',
        data: options.data,
        close: () => void (scope.shown = scope.shown.filter((each) => each !== notification)),
      };
      scope.shown = [...scope.shown.filter(({ tag }) => tag !== notification.tag), notification];
    };
    scope.registration.getNotifications = async () => scope.shown as unknown as Notification[];
  });

const notificationsIn = (worker: Worker) =>
  worker.evaluate(() =>
    (self as unknown as WorkerScope).shown.map(({ title, body, tag }) => ({ title, body, tag })),
  );

/** Clicks the only notification. */
const click = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as WorkerScope;
    const event = new ExtendableEvent('notificationclick');
    Object.defineProperty(event, 'notification', { value: scope.shown[0] });
    scope.dispatchEvent(event);
  });

/** Simulates the permission and the subscription at a push service, which headless browsers lack. */
const simulateSubscription = (context: BrowserContext, { subscription }: TestDevice) =>
  context.addInitScript((device) => {
    const isGranted = () => sessionStorage.getItem('may-notify') !== null;
    Object.defineProperty(Notification, 'permission', {
      get: () => (isGranted() ? 'granted' : 'default'),
    });
    Notification.requestPermission = () => {
      sessionStorage.setItem('may-notify', '');
      return Promise.resolve('granted');
    };
    let current: PushSubscription | null = null;
    PushManager.prototype.getSubscription = () => Promise.resolve(current);
    PushManager.prototype.subscribe = ({ applicationServerKey } = {}) => {
      const key = String(applicationServerKey).replaceAll('-', '+').replaceAll('_', '/');
      const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
      current = {
        options: { applicationServerKey: bytes.buffer, userVisibleOnly: true },
        toJSON: () => device,
        unsubscribe: () => {
          current = null;
          return Promise.resolve(true);
        },
      } as unknown as PushSubscription;
      return Promise.resolve(current);
    };
  }, subscription);

test('pushes are turned on in the settings, reach a closed app, and a click on the notification opens the chat', async ({
  owner,
  origin,
}) => {
  const service = await startPushService();
  try {
    const [bob, ann] = [await owner({ name: 'Bob' }), await owner({ name: 'Ann' })];
    await befriend(bob, ann);
    const device = service.device();
    await simulateSubscription(bob.context, device);
    await bob.page.goto('/settings#notifications');
    await untilStored(bob.page);
    const settings = bob.page.getByRole('region', { name: 'Notifications', exact: true });
    await expect(settings).toContainText('can’t reach this device when it’s closed.');
    await settings.getByRole('button', { name: 'Turn on here' }).click();
    await expect(settings).toContainText('They reach this device even when the app is closed.');
    expect((await bob.call(getPushKey)).is_subscribed).toBe(true);

    // Quiet hours follow the device to another time zone.
    const quiet = settings.getByRole('switch', { name: /Quiet hours/ });
    await quiet.click();
    await expect(settings).toContainText('Time zone: ');
    const devtools = await bob.context.newCDPSession(bob.page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await bob.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(settings).toContainText('Time zone: Asia/Tokyo.');
    await quiet.click();
    await expect(settings).not.toContainText('Time zone: ');
    // Until then, the server pushes nothing, because of the quiet hours in Tokyo.
    await untilSaved(bob.page);
    // Closed: another site is open.
    await bob.page.goto('about:blank');
    await ann.call(sendMessage, {
      body: { receiver_user_id: bob.user.id, message_text: 'Are you at the park?' },
    });
    await expect.poll(() => device.received.length).toBe(1);
    const worker = await workerOf(bob.context);
    await recordNotifications(worker);
    await deliver(bob.page, origin, device);
    const tag = `message-${ann.user.id}`;
    const shown = [{ title: 'Ann', body: 'New message', tag }];
    await expect.poll(() => notificationsIn(worker)).toEqual(shown);

    await bob.page.goto('/home');
    await expect(screenHeading(bob.page)).toBeVisible();
    await click(worker);
    await expect(bob.page).toHaveURL(`${origin}/chat/${ann.user.id}`);
    await expect(bob.page.getByText('Are you at the park?').first()).toBeVisible();
    await expect.poll(() => notificationsIn(worker)).toEqual([]);
    // The page on the screen shows the same: the notification closes by itself.
    await deliver(bob.page, origin, device);
    await expect.poll(() => notificationsIn(worker)).toEqual(shown);
    await expect.poll(() => notificationsIn(worker)).toEqual([]);

    await bob.page.goto('/settings#notifications');
    await settings.getByRole('button', { name: 'Turn off here' }).click();
    await expect(settings).toContainText('can’t reach this device when it’s closed.');
    await expect.poll(async () => (await bob.call(getPushKey)).is_subscribed).toBe(false);
  } finally {
    await service.close();
  }
});
