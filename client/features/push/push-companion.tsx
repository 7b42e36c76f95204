import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import { reportVisibility } from '#shared/push/contract.ts';
import { deviceTimeZone } from '#shared/push/quiet-hours.ts';
import { VISIBLE_SECONDS } from '#shared/push/rules.ts';
import { takeShown } from '../../platform/events/shown-notices.ts';
import { call } from '../../platform/http/api.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { isPushOn, keepSubscribed } from './push-device.ts';
import { usePushSettings } from './use-push-settings.ts';

const LAST = 'time-zone';

/**
 * Keeps quiet hours in the time zone of the device: on a journey, the night begins at another time. Only a change of this device's
 * zone counts, so that two devices in different zones don't overwrite each other.
 */
function useTimeZone(userId: string | undefined): void {
  const { settings, save } = usePushSettings();
  const isQuiet = settings?.push_quiet;
  useEffect(() => {
    if (userId === undefined || isQuiet === undefined) return undefined;
    if (!isQuiet) {
      // Turning them on stores the zone. Asking the device for it takes a phone 100 ms.
      writeCache(userId, LAST, null);
      return undefined;
    }
    const update = () => {
      const zone = deviceTimeZone();
      const last = readCache(z.string(), userId, LAST);
      if (last === zone) return;
      writeCache(userId, LAST, zone);
      if (last !== null) save({ push_time_zone: zone });
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, [userId, isQuiet, save]);
}

/** Before the server’s belief that the app is on the screen ends. */
const REPORT_MS = (VISIBLE_SECONDS - 15) * 1000;
const LAST_NUMBER = 'push-report';

/** Numbers the reports of all tabs. From the clock, so that the numbers also rise after the storage was cleared. */
function nextNumber(userId: string): number {
  const last = readCache(z.number(), userId, LAST_NUMBER) ?? 0;
  const number = Math.max(Date.now(), last + 1);
  writeCache(userId, LAST_NUMBER, number);
  return number;
}

/** Says whether the app is on the screen: then pushes wait. Fails silently, because the server doubts it after a while. */
function report(userId: string, is_visible: boolean): void {
  const body = { is_visible, number: nextNumber(userId), shown: takeShown() };
  call(reportVisibility, { body, keepalive: true }).catch(() => null);
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
    const changed = () => isOn() && report(userId, isVisible());
    changed();
    const timer = setInterval(() => isOn() && isVisible() && report(userId, true), REPORT_MS);
    document.addEventListener('visibilitychange', changed);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', changed);
    };
  }, [userId]);
  return null;
}
