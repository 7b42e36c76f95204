import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { gravity } from '#shared/alerts/rules.ts';
import { USUAL_SETTINGS, type Settings } from '#shared/settings/document.ts';
import { useLeadingTab, useLeads } from '../../platform/events/leading-tab-provider.tsx';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { notify } from '../proximity/output/notifications.ts';
import { deviceClock } from '../proximity/tracking/tracker.ts';
import { useSettings } from '../settings/use-settings.ts';
import { soundAlarm } from './alarm.ts';
import { AlertAnnouncer, type Announced } from './alert-announcer.ts';
import { receiveAlert } from './alert-cache.ts';

const NAME = 'announced-alerts';
const REMEMBERED_MAX = 200;

/** Alerts that were already announced, shared by tabs and restarts. */
const announcedOn = (userId: string): Announced => {
  const read = () => readCache(z.array(z.string()), userId, NAME) ?? [];
  return {
    has: (key) => read().includes(key),
    add: (keys) => writeCache(userId, NAME, [...read(), ...keys].slice(-REMEMBERED_MAX)),
  };
};

/** Creates the announcer of this device, which follows the owner's current settings. */
function deviceAnnouncer(userId: string) {
  let current: Settings = USUAL_SETTINGS;
  const announcer = new AlertAnnouncer(
    {
      vibrate: (pattern) => {
        if (current.vibration && 'vibrate' in navigator) navigator.vibrate(pattern);
      },
      sound: () => {
        if (current.sounds) void soundAlarm(current.volume);
      },
      notify,
    },
    deviceClock,
    announcedOn(userId),
  );
  return {
    announce(alerts: readonly EmergencyAlert[], settings: Settings) {
      current = settings;
      announcer.update(alerts);
    },
    close: () => announcer.close(),
  };
}

const isGraver = (mine: EmergencyAlert, other: EmergencyAlert): boolean =>
  mine.id === other.id && gravity(mine.severity) > gravity(other.severity);

/** Adds or replaces an alert. One that was acknowledged on a device elsewhere isn't added: it may not be an alert of this area. */
function withAlert(known: EmergencyAlert[], alert: EmergencyAlert): EmergencyAlert[] {
  const others = known.filter(({ id }) => id !== alert.id);
  // Another device may be where the same alert is milder.
  if (alert.is_acknowledged && known.some((mine) => isGraver(mine, alert))) return known;
  return alert.is_acknowledged && others.length === known.length ? known : [...others, alert];
}

/** Announces new alerts in the leading tab, and applies server events about alerts in every tab. */
export function useAnnouncer(userId: string, alerts: readonly EmergencyAlert[]): void {
  const tab = useLeadingTab();
  const leads = useLeads();
  const { status, settings } = useSettings();
  const [announcer] = useState(() => deviceAnnouncer(userId));
  useEffect(() => () => announcer.close(), [announcer]);
  useEffect(() => {
    // Waits for the owner's settings.
    if (leads && status !== 'loading') announcer.announce(alerts, settings);
  }, [announcer, leads, status, alerts, settings]);
  useEffect(
    () =>
      tab.onEvent((event) => {
        if (event.type === 'alert') receiveAlert(userId, (known) => withAlert(known, event.alert));
        if (event.type === 'alert_over')
          receiveAlert(userId, (known) => known.filter(({ id }) => id !== event.id));
      }),
    [tab, userId],
  );
}
