import type { BrowserContext, Page, Worker } from '@playwright/test';
import { sendMessage } from '#shared/chat/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { subscribeToPush } from '#shared/push/contract.ts';
import { expect, expectAccessible, offlineTest as test, untilStored } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
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

const notificationsIn = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as ServiceWorkerGlobalScope;
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({
      title,
      body,
      tag,
    }));
  });

/** Clicks the only notification: the click itself is the operating system's. */
const click = (worker: Worker) =>
  worker.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScope;
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(
      new NotificationEvent('notificationclick', { notification: notification! }),
    );
  });

test('a message pushed to a closed app shows a notification, and a click opens the chat', async ({
  owner,
  origin,
}) => {
  const service = await startPushService();
  try {
    const [bob, ann] = [await owner({ name: 'Bob' }), await owner({ name: 'Ann' })];
    await befriend(bob, ann);
    await bob.context.grantPermissions(['notifications'], { origin });
    await bob.page.goto('/settings');
    await untilStored(bob.page);
    const device = service.device();
    await bob.call(subscribeToPush, { body: device.subscription });
    // Closed: another site is open.
    await bob.page.goto('about:blank');
    await ann.call(sendMessage, {
      body: { receiver_user_id: bob.user.id, message_text: 'Are you at the park?' },
    });
    await expect.poll(() => device.received.length).toBe(1);
    const worker = await workerOf(bob.context);
    await deliver(bob.page, origin, device);
    const tag = `message-${ann.user.id}`;
    const shown = [{ title: 'Ann', body: 'New message', tag }];
    await expect.poll(() => notificationsIn(worker)).toEqual(shown);

    await bob.page.goto('/home');
    await expect(bob.page.getByRole('heading', { level: 1 })).toBeVisible();
    await click(worker);
    await expect(bob.page).toHaveURL(`${origin}/chat/${ann.user.id}`);
    await expect(bob.page.getByText('Are you at the park?')).toBeVisible();
    await expect.poll(() => notificationsIn(worker)).toEqual([]);
    // A page on the screen shows it already.
    await deliver(bob.page, origin, device);
    expect(await notificationsIn(worker)).toEqual([]);
  } finally {
    await service.close();
  }
});
