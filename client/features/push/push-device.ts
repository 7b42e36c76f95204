import { z } from 'zod';
import {
  getPushKey,
  pushSubscription,
  subscribeToPush,
  unsubscribeFromPush,
} from '#shared/push/contract.ts';
import { call } from '../../platform/http/api.ts';
import { ShownError } from '../../platform/http/shown-error.ts';
import { isInstalled, PLATFORM } from '../../platform/install/install-event.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { Store } from '../../platform/store.ts';
import { askForNotifications } from '../proximity/output/notifications.ts';
import { unsubscribeDevice } from './unsubscribe-device.ts';

/**
 * Whether this device receives pushes. `needs-install`: iOS allows them only in an installed app. `denied`: the browser blocks
 * notifications.
 */
export type PushState = 'unsupported' | 'needs-install' | 'denied' | 'off' | 'on';

const WANTED = 'push';
/** The first start stores the app before the service worker is there. */
const READY_MS = 15_000;

const changes = new Store();

/** Notifies of changes of the state. @returns how to unsubscribe */
export const onPushStateChange = changes.subscribe;

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Returns whether this device receives pushes for a user, and if not, why. */
export function getPushState(userId: string): PushState {
  if (!isSupported()) return PLATFORM === 'ios' && !isInstalled() ? 'needs-install' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return isPushOn(userId) ? 'on' : 'off';
}

/** Whether this device receives pushes for a user. The permission comes last, because the page waits for it. */
export const isPushOn = (userId: string): boolean =>
  isSupported() &&
  readCache(z.boolean(), userId, WANTED) === true &&
  Notification.permission === 'granted';

function setWanted(userId: string, isWanted: boolean): void {
  writeCache(userId, WANTED, isWanted || null);
  changes.notify();
}

/** @throws if the app is not stored on this device yet */
async function readyRegistration(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(
      () =>
        reject(new ShownError('The app isn’t ready on this device yet. Try again in a moment.')),
      READY_MS,
    ),
  );
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Whether a subscription was made with this key of the server. */
function isOfKey({ options }: PushSubscription, publicKey: string): boolean {
  if (!options.applicationServerKey) return false;
  const bytes = new Uint8Array(options.applicationServerKey);
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey;
}

/** Returns why a browser gives no subscription, and what to do. */
const wordsOf = (cause: unknown): string =>
  cause instanceof DOMException && cause.name === 'NotAllowedError'
    ? 'Your browser blocks notifications for this site. Allow them in its settings, then try again.'
    : 'Your browser couldn’t reach its notification service. Check your connection; private windows have none.';

/** Subscribes at the browser's push service and at the server, unless both are done. */
async function subscribe(): Promise<void> {
  const registration = await readyRegistration();
  const { public_key, is_subscribed } = await call(getPushKey);
  const existing = await registration.pushManager.getSubscription();
  const isCurrent = existing !== null && isOfKey(existing, public_key);
  if (isCurrent && is_subscribed) return;
  // A browser has one subscription, for one key.
  if (existing && !isCurrent) await existing.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: public_key };
  const subscription = isCurrent
    ? existing
    : await registration.pushManager.subscribe(options).catch((cause: unknown) => {
        throw new ShownError(wordsOf(cause), { cause });
      });
  await call(subscribeToPush, { body: pushSubscription.parse(subscription.toJSON()) });
}

/**
 * Turns pushes on for this device. Call it during a tap: the browser may ask for the permission.
 * @throws with the reason if it fails; a refusal of the permission is no failure
 */
export async function turnPushOn(userId: string): Promise<void> {
  await askForNotifications();
  changes.notify();
  if (Notification.permission !== 'granted') return;
  await subscribe();
  setWanted(userId, true);
}

let renewal: Promise<void> = Promise.resolve();

/** Turns pushes off for this device. @throws if the server could not be reached; then only the device is unsubscribed */
export async function turnPushOff(userId: string): Promise<void> {
  setWanted(userId, false);
  // One that is running would subscribe again.
  await renewal.catch(() => null);
  await unsubscribeDevice();
  await call(unsubscribeFromPush);
}

/** Renews the subscription where a browser or the server has lost it. */
export async function keepSubscribed(userId: string): Promise<void> {
  if (!isPushOn(userId)) return;
  renewal = subscribe();
  await renewal;
}
