import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import type { Settings } from '#shared/settings/document.ts';
import { useLeadingTab } from '../events/leading-tab-provider.tsx';
import { readKept, writeKept } from '../kept.ts';
import { deviceClock } from '../proximity/clock.ts';
import { notify } from '../proximity/notifications.ts';
import { useSettings } from '../settings/use-settings.ts';
import { changeAlerts } from './alert-data.ts';
import { soundAlarm } from './alarm.ts';
import { AlertAnnouncer, type Announced } from './announcer.ts';
import { useLeads } from './use-alerts.ts';

const NAME = 'announced-alerts';
const REMEMBERED_MAX = 200;

/** Across tabs and starts: whatever was announced is not announced again. */
const announcedOn = (userId: string): Announced => {
  const read = () => readKept(z.array(z.string()), userId, NAME) ?? [];
  return {
    has: (key) => read().includes(key),
    add: (keys) => writeKept(userId, NAME, [...read(), ...keys].slice(-REMEMBERED_MAX)),
  };
};

const deviceAnnouncer = (userId: string, settings: () => Settings) =>
  new AlertAnnouncer(
    {
      vibrate: (pattern) => {
        if (settings().vibration && 'vibrate' in navigator) navigator.vibrate(pattern);
      },
      sound: () => {
        const { sounds, volume } = settings();
        if (sounds) void soundAlarm(volume);
      },
      notify,
    },
    deviceClock,
    announcedOn(userId),
  );

/** Announces new alerts, in the tab that leads, and hears what the server tells of alerts, in every tab. */
export function useAnnouncer(userId: string, alerts: readonly EmergencyAlert[]): void {
  const tab = useLeadingTab();
  const leads = useLeads();
  const { status, settings } = useSettings();
  const wishes = useRef(settings);
  const [announcer] = useState(() => deviceAnnouncer(userId, () => wishes.current));
  useEffect(() => () => announcer.close(), [announcer]);
  useEffect(() => {
    wishes.current = settings;
  }, [settings]);
  useEffect(() => {
    // Not before it is known what its owner wants to hear.
    if (leads && status !== 'loading') announcer.hear(alerts);
  }, [announcer, leads, status, alerts]);
  useEffect(
    () =>
      tab.onEvent((event) => {
        if (event.type === 'alert')
          changeAlerts(userId, (known) => [
            ...known.filter(({ id }) => id !== event.alert.id),
            event.alert,
          ]);
        if (event.type === 'alert_over')
          changeAlerts(userId, (known) => known.filter(({ id }) => id !== event.id));
      }),
    [tab, userId],
  );
}
