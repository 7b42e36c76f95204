import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { reportVisibility, VISIBLE_SECONDS } from '#shared/push/contract.ts';
import { call } from '../http/api.ts';
import { useUser } from '../session/use-auth.tsx';
import { isPushOn, keepSubscribed } from './push-device.ts';
import { useTimeZone } from './use-time-zone.ts';

/** Before the server’s belief that the app is on the screen ends. */
const REPORT_MS = (VISIBLE_SECONDS - 15) * 1000;

/** Says whether the app is on the screen: then this device needs no pushes. Fails silently, because the worker decides again. */
function report(is_visible: boolean): void {
  call(reportVisibility, { body: { is_visible }, keepalive: true }).catch(() => null);
}

/** Closes the notifications about a page, because it is on the screen. */
async function closeNotifications(path: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    const data = notification.data as { path?: string } | null;
    if (data?.path === path) notification.close();
  }
}

const isVisible = () => document.visibilityState === 'visible';

/** Closes notifications about the page on the screen, and keeps this device subscribed. */
export function PushCompanion() {
  const userId = useUser()?.id;
  const { pathname } = useLocation();
  useTimeZone(userId);

  useEffect(() => {
    const close = () => {
      if (isVisible()) closeNotifications(pathname).catch(() => null);
    };
    close();
    document.addEventListener('visibilitychange', close);
    return () => document.removeEventListener('visibilitychange', close);
  }, [pathname]);

  useEffect(() => {
    if (userId === undefined) return;
    keepSubscribed(userId).catch((error: unknown) =>
      console.warn('Failed to renew the subscription to notifications', error),
    );
    const isOn = () => isPushOn(userId);
    const changed = () => isOn() && report(isVisible());
    changed();
    const timer = setInterval(() => isOn() && isVisible() && report(true), REPORT_MS);
    document.addEventListener('visibilitychange', changed);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', changed);
    };
  }, [userId]);
  return null;
}
