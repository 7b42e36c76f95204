/// <reference lib="webworker" />
import type { PushContent } from '#shared/push/contract.ts';
import { ASK_PATH, OPEN_PAGE } from '../../platform/install/service-worker-messages.ts';
import { PRODUCT } from '../../platform/product.ts';
import { pauseBefore } from '../proximity/walk-pause.ts';

declare const self: ServiceWorkerGlobalScope;

/** Paths of `getPushKey` and `subscribeToPush`: their schemas would slow down each start of the worker. */
const KEY_PATH = '/api/push/key';
const SUBSCRIPTION_PATH = '/api/push/subscription';
const HOME = '/home';

const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Shown for what this version of the app can't read. */
const UNREADABLE: PushContent = {
  kind: 'messages',
  title: PRODUCT,
  body: 'Something new is waiting for you.',
  tag: 'unreadable',
  path: HOME,
  is_urgent: false,
};

/** Only our server can encrypt for this browser; anything else is no push of ours. */
function contentOf(event: PushEvent): PushContent | null {
  try {
    const content = event.data?.json() as Partial<PushContent> | undefined;
    return typeof content?.title === 'string' ? (content as PushContent) : null;
  } catch {
    return null;
  }
}

/** A path of the app; anything else opens the dashboard. */
const pathOf = (data: unknown): string => {
  const path = (data as { path?: unknown } | null)?.path;
  return typeof path === 'string' && /^\/(?!\/)/.test(path) ? path : HOME;
};

const PAUSED = {
  ended: 'Your walk has ended.',
  quiet: 'Warnings are paused in your quiet place.',
};

/** The server cannot know that a walk was ended without a network. Browsers require some notification, so a true one is shown. */
async function pauseOf({ silent_since }: PushContent): Promise<string | null> {
  if (silent_since === undefined) return null;
  const reason = await pauseBefore(silent_since).catch(() => null);
  return reason && PAUSED[reason];
}

const ANSWERS_WITHIN_MS = 1_000;

/** Returns the path that a page shows; null if it doesn't answer. */
const pathShown = (page: WindowClient): Promise<unknown> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    const answered = (path: unknown) => {
      port1.close();
      done(path);
    };
    port1.addEventListener('message', ({ data }) => answered(data));
    port1.start();
    setTimeout(() => answered(null), ANSWERS_WITHIN_MS);
    page.postMessage({ type: ASK_PATH }, [port2]);
  });

/** How long a notification about the page on the screen stays. */
const SHOWN_MS = 5_000;

/**
 * Shows a push: always, because Apple ends subscriptions whose pushes show nothing, also while the app is on the screen. There it
 * makes no sound, and if the page shows the same, it closes soon. Nothing of it is stored.
 */
export async function showPush(event: PushEvent): Promise<void> {
  const content = contentOf(event) ?? UNREADABLE;
  const visible = (await pages()).filter((page) => page.visibilityState === 'visible');
  const { title, tag, path, is_urgent } = content;
  const isQuiet = visible.length > 0 && !is_urgent;
  const paused = await pauseOf(content);
  const options = {
    body: paused ?? content.body,
    tag,
    icon: '/icons/icon-192.png',
    requireInteraction: is_urgent && paused === null,
    data: { path },
    // One that replaces another with its tag alerts again; missing in TypeScript's library.
    renotify: !isQuiet,
    silent: isQuiet,
  };
  await self.registration.showNotification(title, options);
  if (!isQuiet || !(await Promise.all(visible.map(pathShown))).includes(path)) return;
  await new Promise((done) => setTimeout(done, SHOWN_MS));
  for (const notification of await self.registration.getNotifications({ tag }))
    notification.close();
}

/** Opens the page of a notification: in an open tab if there is one. */
export async function openNotification({ notification }: NotificationEvent): Promise<void> {
  notification.close();
  const path = pathOf(notification.data);
  const open = await pages();
  const page = open.find(({ visibilityState }) => visibilityState === 'visible') ?? open[0];
  if (!page) {
    await self.clients.openWindow(path);
    return;
  }
  // The app's own notifications say nothing about a page.
  if (notification.data) page.postMessage({ type: OPEN_PAGE, path });
  await page.focus();
}

/** Subscribes again after the browser replaced its subscription. If that fails, the app does it when it opens. */
export async function renewSubscription(): Promise<void> {
  const answer = await fetch(KEY_PATH);
  if (!answer.ok) return;
  const { public_key } = (await answer.json()) as { public_key: string };
  const options = { userVisibleOnly: true, applicationServerKey: public_key };
  const subscription = await self.registration.pushManager.subscribe(options);
  const { endpoint, keys } = subscription.toJSON();
  await fetch(SUBSCRIPTION_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  });
}
