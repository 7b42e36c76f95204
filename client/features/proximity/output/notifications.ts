import { Store } from '../../../platform/store.ts';

export interface Notice {
  title: string;
  body: string;
  /** A later notice with the same tag replaces an earlier one. */
  tag: string;
  urgent: boolean;
  /** Makes no sound, and stays until it is closed. */
  isQuiet?: boolean;
}

export type NotificationState = NotificationPermission | 'missing';

const CLOSES_AFTER_MS = 5000;
const changes = new Store();

/** Whether notifications may be shown. */
export const getNotificationState = (): NotificationState =>
  'Notification' in globalThis ? Notification.permission : 'missing';

/** @returns how to unsubscribe */
export const onNotificationStateChange = changes.subscribe;

/** Asks for permission; browsers allow it only during a tap or key press. */
export async function askForNotifications(): Promise<void> {
  if ('Notification' in globalThis) await Notification.requestPermission();
  changes.notify();
}

/**
 * Shows a notification: an urgent one stays, others close after 5 s.
 * @returns how to close it
 */
export function notify({ title, body, tag, urgent, isQuiet = false }: Notice): () => void {
  if (getNotificationState() !== 'granted') {
    console.warn('Notification skipped: permission is not granted');
    return () => {};
  }
  // An urgent one vibrates again when it replaces one with the same tag.
  const options = {
    body,
    tag,
    requireInteraction: urgent,
    renotify: urgent,
    silent: isQuiet,
    icon: '/favicon.svg',
  };
  let close: () => void;
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    close = () => notification.close();
  } catch {
    // Android shows notifications only through the service worker.
    close = notifyByServiceWorker(title, options);
  }
  if (!urgent && !isQuiet) setTimeout(close, CLOSES_AFTER_MS);
  return close;
}

function notifyByServiceWorker(title: string, options: NotificationOptions): () => void {
  const shown = (async () => {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.showNotification(title, options);
    return registration;
  })().catch((error: unknown) => {
    console.warn('Notification failed', error);
    return undefined;
  });
  return () =>
    void (async () => {
      const registration = await shown;
      const open = await registration?.getNotifications({ tag: options.tag });
      for (const notification of open ?? []) notification.close();
    })();
}
