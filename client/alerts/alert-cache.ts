import { z } from 'zod';
import { emergencyAlert, severity, type EmergencyAlert } from '#shared/alerts/contract.ts';
import { gravity } from '#shared/alerts/rules.ts';
import { plausibleTimestamp } from '../server-clock.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { queries } from '../http/query-client.ts';

const NAME = 'alerts';
const ACKNOWLEDGED = 'acknowledged-alerts';
/** Until then the server has heard of it, or the alert is over. */
const REMEMBERED_MS = 7 * 24 * 60 * 60_000;

/** What was acknowledged on this device, by alert: the server may not have heard of it yet. */
const acknowledgements = z.record(z.string(), z.object({ severity, at: z.iso.datetime() }));

/** Under which the alerts of a person are kept in `queries`. */
export const alertsKey = (userId: string) => ['alerts', userId] as const;

const heard = z.object({ at: z.number(), alerts: z.array(emergencyAlert) });

/** The alerts as this device last heard all of them, and when, in milliseconds. */
export function cachedAlerts(userId: string): z.infer<typeof heard> | null {
  const kept = readCache(heard, userId, NAME);
  return kept && { ...kept, at: plausibleTimestamp(kept.at) };
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
 * Takes over what the server says, together with what it has not heard of yet, and keeps it.
 * @param at when it said so, in milliseconds
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

/** Questions after all alerts of a place are numbered as they are asked. */
let asked = 0;
/** Nothing that was asked for before this one counts any more. */
let newest = 0;

/** @returns the number of a question that is asked now */
export const askedNow = (): number => (asked += 1);

/** Whether nothing newer has been heard than the answer to a question. It counts as heard then. */
export function isNewest(question: number): boolean {
  if (question < newest) return false;
  newest = question;
  return true;
}

/** All alerts of the place, as something else brought them along. */
export function takeAlerts(userId: string, alerts: EmergencyAlert[], question: number): void {
  if (isNewest(question)) queries.setQueryData(alertsKey(userId), joinAlerts(userId, alerts));
}

/** Takes over what was told of one alert: what was asked for before may not know of it yet. */
export function receiveAlert(
  userId: string,
  change: (alerts: EmergencyAlert[]) => EmergencyAlert[],
): void {
  newest = askedNow();
  changeAlerts(userId, change);
}

/** Changes what is known of the alerts. */
function changeAlerts(
  userId: string,
  change: (alerts: EmergencyAlert[]) => EmergencyAlert[],
): void {
  const kept = cachedAlerts(userId);
  const queryKey = alertsKey(userId);
  const known = queries.getQueryData<EmergencyAlert[]>(queryKey) ?? kept?.alerts ?? [];
  // That is one alert more or less: it is no newer what is known of the others.
  const updatedAt = kept?.at ?? 0;
  const changed = joinAlerts(userId, change(known), updatedAt);
  queries.setQueryData(queryKey, changed, { updatedAt });
}

/** Notes that an alert was seen, on this device, at once. */
export function acknowledgeHere(userId: string, alert: EmergencyAlert, now = new Date()): void {
  const kept = Object.entries(acknowledgedHere(userId)).filter(
    ([, { at }]) => Date.parse(at) > now.getTime() - REMEMBERED_MS,
  );
  writeCache(userId, ACKNOWLEDGED, {
    ...Object.fromEntries(kept),
    [alert.id]: { severity: alert.severity, at: now.toISOString() },
  });
  changeAlerts(userId, (alerts) => alerts);
}
