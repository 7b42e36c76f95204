import { useEffect, useState } from 'react';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';

/** The Battery Status API, which only Chromium has. */
interface Battery extends EventTarget {
  charging: boolean;
  /** From 0 to 1. */
  level: number;
}

/** A shorter time measures nothing: levels come in steps of a percent. */
const MEASURED_MS = 10 * MINUTE_MS;

async function getBattery(): Promise<Battery | null> {
  const { getBattery: get } = navigator as { getBattery?: () => Promise<Battery> };
  return (await get?.call(navigator).catch(() => null)) ?? null;
}

/**
 * Returns the percent of the battery used in an hour; null if the time is too short to know.
 * @param from the first level, from 0 to 1 @param to the last
 */
export const percentPerHour = (from: number, to: number, elapsedMs: number): number | null =>
  elapsedMs < MEASURED_MS
    ? null
    : Math.max(0, Math.round(((from - to) * 100 * HOUR_MS) / elapsedMs));

interface BatteryUse {
  percent: number;
  /** What this device has used in an hour since the component was mounted; null while it charges or is not known yet. */
  perHour: number | null;
}

/** Returns the battery's level and use; null where the browser doesn't say. */
export function useBattery(): BatteryUse | null {
  const [use, setUse] = useState<BatteryUse | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const follow = async () => {
      const battery = await getBattery();
      if (!battery || signal.aborted) return;
      let from = battery.level;
      let since = Date.now();
      const look = () => {
        if (battery.charging) {
          from = battery.level;
          since = Date.now();
        }
        setUse({
          percent: Math.round(battery.level * 100),
          perHour: percentPerHour(from, battery.level, Date.now() - since),
        });
      };
      look();
      battery.addEventListener('levelchange', look, { signal });
      battery.addEventListener('chargingchange', look, { signal });
    };
    void follow();
    return () => leaving.abort();
  }, []);
  return use;
}
