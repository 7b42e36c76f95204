import { z } from 'zod';
import { emergencyAlert, severity, type EmergencyAlert } from '#shared/alerts/contract.ts';
import { gravity } from '#shared/alerts/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { queries } from '../../platform/http/query-client.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { plausibleTimestamp } from '../../platform/server-clock.ts';

const NAME = 'alerts';
const ACKNOWLEDGED = 'acknowledged-alerts';
/** By then the server has the acknowledgement, or the alert is over. */
const REMEMBERED_MS = 7 * DAY_MS;

/** Acknowledgements on this device by alert ID; they may not have reached the server yet. */
const acknowledgements = z.record(z.string(), z.object({ severity, at: z.iso.datetime() }));

/** Query key of a user's alerts. */
export const alertsKey = (userId: string) => ['alerts', userId] as const;

const cachedList = z.object({ at: z.number(), alerts: z.array(emergencyAlert) });

/** Returns the last complete list of alerts, and when it was received, in milliseconds. */
export function cachedAlerts(userId: string): z.infer<typeof cachedList> | null {
  const cached = readCache(cachedList, userId, NAME);
  return cached && { ...cached, at: plausibleTimestamp(cached.at) };
}

const acknowledgedHere = (userId: string) =>
  readCache(acknowledgements, userId, ACKNOWLEDGED) ?? {};

function withAcknowledgements(userId: string, alerts: EmergencyAlert[]): EmergencyAlert[] {
  const here = acknowledgedHere(userId);
  return alerts.map((alert) => {
    const mine = here[alert.id];
    if (!mine || alert.is_acknowledged || gravity(mine.severity) < gravity(alert.severity))
      return alert;
    return { ...alert, is_acknowledged: true, acknowledged_at: mine.at };
  });
}

/**
 * Merges the server's alerts with local acknowledgements, and caches the result.
 * @param at when they were received, in milliseconds
 */
export function joinAlerts(
  userId: string,
  alerts: EmergencyAlert[],
  at = Date.now(),
): EmergencyAlert[] {
  const joined = withAcknowledgements(userId, alerts);
  writeCache(userId, NAME, { at, alerts: joined });
  return joined;
}

/** The number of the last request for all alerts. */
let requested = 0;
/** Answers to earlier requests are outdated. */
let newest = 0;

/** Returns the number of a new request. */
export const nextRequest = (): number => (requested += 1);

/** Whether nothing newer than the answer to this request was received; if so, records it as the newest. */
export function isNewest(request: number): boolean {
  if (request < newest) return false;
  newest = request;
  return true;
}

/** Stores all alerts of a place that came with another answer. */
export function takeAlerts(userId: string, alerts: EmergencyAlert[], request: number): void {
  if (isNewest(request)) queries.setQueryData(alertsKey(userId), joinAlerts(userId, alerts));
}

/** Applies an event about one alert, and invalidates earlier requests, whose answers may not include it. */
export function receiveAlert(
  userId: string,
  change: (alerts: EmergencyAlert[]) => EmergencyAlert[],
): void {
  newest = nextRequest();
  changeAlerts(userId, change);
}

/** Changes the stored alerts. */
function changeAlerts(
  userId: string,
  change: (alerts: EmergencyAlert[]) => EmergencyAlert[],
): void {
  const cached = cachedAlerts(userId);
  const queryKey = alertsKey(userId);
  const known = queries.getQueryData<EmergencyAlert[]>(queryKey) ?? cached?.alerts ?? [];
  // Only one alert changed, so the list is as old as before.
  const updatedAt = cached?.at ?? 0;
  const changed = joinAlerts(userId, change(known), updatedAt);
  queries.setQueryData(queryKey, changed, { updatedAt });
}

/** Records an acknowledgement on this device at once. */
export function acknowledgeHere(userId: string, alert: EmergencyAlert, now = new Date()): void {
  const cached = Object.entries(acknowledgedHere(userId)).filter(
    ([, { at }]) => Date.parse(at) > now.getTime() - REMEMBERED_MS,
  );
  writeCache(userId, ACKNOWLEDGED, {
    ...Object.fromEntries(cached),
    [alert.id]: { severity: alert.severity, at: now.toISOString() },
  });
  changeAlerts(userId, (alerts) => alerts);
}
