import { useEffect } from 'react';
import { z } from 'zod';
import { deviceTimeZone } from '#shared/push/quiet-hours.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { usePushSettings } from './use-push-settings.ts';

const LAST = 'time-zone';

/**
 * Keeps quiet hours in the time zone of the device: on a journey, the night begins at another time. Only a change of this device's
 * zone counts, so that two devices in different zones don't overwrite each other.
 */
export function useTimeZone(userId: string | undefined): void {
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
