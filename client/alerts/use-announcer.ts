import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { USUAL_SETTINGS, type Settings } from '#shared/settings/document.ts';
import { useLeadingTab } from '../events/leading-tab-provider.tsx';
import { readCache, writeCache } from '../local-cache.ts';
import { deviceClock } from '../proximity/tracking/clock.ts';
import { notify } from '../proximity/output/notifications.ts';
import { useSettings } from '../settings/use-settings.ts';
import { receiveAlert } from './alert-cache.ts';
import { soundAlarm } from './alarm.ts';
import { AlertAnnouncer, type Announced } from './announcer.ts';
import { useLeads } from './use-alerts.ts';

const NAME = 'announced-alerts';
const REMEMBERED_MAX = 200;

/** Across tabs and starts: whatever was announced is not announced again. */
const announcedOn = (userId: string): Announced => {
  const read = () => readCache(z.array(z.string()), userId, NAME) ?? [];
  return {
    has: (key) => read().includes(key),
    add: (keys) => writeCache(userId, NAME, [...read(), ...keys].slice(-REMEMBERED_MAX)),
  };
};

/** What announces on this device, as its owner wishes it at the time. */
function deviceAnnouncer(userId: string) {
  let wishes: Settings = USUAL_SETTINGS;
  const announcer = new AlertAnnouncer(
    {
      vibrate: (pattern) => {
        if (wishes.vibration && 'vibrate' in navigator) navigator.vibrate(pattern);
      },
      sound: () => {
        if (wishes.sounds) void soundAlarm(wishes.volume);
      },
      notify,
    },
    deviceClock,
    announcedOn(userId),
  );
  return {
    announce(alerts: readonly EmergencyAlert[], settings: Settings) {
      wishes = settings;
      announcer.hear(alerts);
    },
    close: () => announcer.close(),
  };
}

/** Announces new alerts, in the tab that leads, and hears what the server tells of alerts, in every tab. */
export function useAnnouncer(userId: string, alerts: readonly EmergencyAlert[]): void {
  const tab = useLeadingTab();
  const leads = useLeads();
  const { status, settings } = useSettings();
  const [announcer] = useState(() => deviceAnnouncer(userId));
  useEffect(() => () => announcer.close(), [announcer]);
  useEffect(() => {
    // Not before it is known what its owner wants to hear.
    if (leads && status !== 'loading') announcer.announce(alerts, settings);
  }, [announcer, leads, status, alerts, settings]);
  useEffect(
    () =>
      tab.onEvent((event) => {
        if (event.type === 'alert')
          receiveAlert(userId, (known) => [
            ...known.filter(({ id }) => id !== event.alert.id),
            event.alert,
          ]);
        if (event.type === 'alert_over')
          receiveAlert(userId, (known) => known.filter(({ id }) => id !== event.id));
      }),
    [tab, userId],
  );
}
