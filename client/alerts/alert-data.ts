import { z } from 'zod';
import { emergencyAlert, severity, type EmergencyAlert } from '#shared/alerts/contract.ts';
import { gravity } from '#shared/alerts/rules.ts';
import { heardAt } from '../clocks.ts';
import { readKept, writeKept } from '../kept.ts';
import { queries } from '../queries.ts';

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
export function keptAlerts(userId: string): z.infer<typeof heard> | null {
  const kept = readKept(heard, userId, NAME);
  return kept && { ...kept, at: heardAt(kept.at) };
}

const acknowledgedHere = (userId: string) => readKept(acknowledgements, userId, ACKNOWLEDGED) ?? {};

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
  writeKept(userId, NAME, { at, alerts: joined });
  return joined;
}

/** All alerts of the place, as something else brought them along. */
export function takeAlerts(userId: string, alerts: EmergencyAlert[]): void {
  queries.setQueryData(alertsKey(userId), joinAlerts(userId, alerts));
}

/** Changes what is known of the alerts. */
export function changeAlerts(
  userId: string,
  change: (alerts: EmergencyAlert[]) => EmergencyAlert[],
): void {
  const kept = keptAlerts(userId);
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
  writeKept(userId, ACKNOWLEDGED, {
    ...Object.fromEntries(kept),
    [alert.id]: { severity: alert.severity, at: now.toISOString() },
  });
  changeAlerts(userId, (alerts) => alerts);
}
