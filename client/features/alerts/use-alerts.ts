import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { listAlerts, type EmergencyAlert } from '#shared/alerts/contract.ts';
import {
  activeAlerts,
  CRITICAL_REFRESH_SECONDS,
  isSevere,
  REFRESH_SECONDS,
  shownAlerts,
} from '#shared/alerts/rules.ts';
import { cellOf } from '#shared/weather/rules.ts';
import { useLeads } from '../../platform/events/leading-tab-provider.tsx';
import { call } from '../../platform/http/api.ts';
import { findPosition } from '../../platform/position/find-position.ts';
import { recordServerTime, serverTime } from '../../platform/server-clock.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { useNow } from '../../platform/use-now.ts';
import { useHere } from '../profile/use-here.ts';
import {
  acknowledgeHere,
  alertsKey,
  nextRequest,
  isNewest,
  joinAlerts,
  cachedAlerts,
} from './alert-cache.ts';
import { rememberAlertsCell } from './alerts-cell.ts';

/** Maximum number of requests, even if events keep making answers outdated. */
const ATTEMPTS_MAX = 3;

async function fetchAlerts(userId: string): Promise<EmergencyAlert[]> {
  // Unless the position may still be used.
  rememberAlertsCell(userId, null);
  const { latitude, longitude } = cellOf(await findPosition({ isRough: true }));
  const query = { latitude: String(latitude), longitude: String(longitude) };
  rememberAlertsCell(userId, query);
  for (let times = 1; ; times += 1) {
    const request = nextRequest();
    const { alerts, server_time } = await call(listAlerts, { query });
    recordServerTime(userId, server_time);
    // An outdated answer would undo events received since the request.
    if (isNewest(request) || times === ATTEMPTS_MAX) return joinAlerts(userId, alerts);
  }
}

/** How long an answer counts as fresh. A cached one from an earlier start doesn't, because events were missed since. */
const FRESH_MS = 30_000;

/** After two missed refreshes. */
const OLD_MS = 2 * REFRESH_SECONDS * 1000;

const refreshMs = (userId: string, alerts: readonly EmergencyAlert[]): number =>
  1000 *
  (shownAlerts(alerts, serverTime(userId, Date.now())).some(isSevere)
    ? CRITICAL_REFRESH_SECONDS
    : REFRESH_SECONDS);

/**
 * Returns the emergency alerts where the owner is: cached ones at once, then refreshed every five minutes, or every two
 * while one is critical.
 */
export function useAlerts() {
  const user = useUser();
  const { isAllowed } = useHere();
  const documents = useDocuments();
  const leads = useLeads();
  const now = useNow();
  const userId = user?.id ?? '';
  const { data, dataUpdatedAt, error, isPending, fetchStatus } = useQuery({
    queryKey: alertsKey(userId),
    queryFn: () => fetchAlerts(userId),
    enabled: isAllowed,
    initialData: () => cachedAlerts(userId)?.alerts,
    initialDataUpdatedAt: () => cachedAlerts(userId)?.at,
    staleTime: ({ state }) => (state.dataUpdateCount === 0 ? 0 : FRESH_MS),
    refetchInterval: ({ state }) => refreshMs(userId, state.data ?? []),
    refetchIntervalInBackground: leads,
  });
  useEffect(() => {
    if (!isAllowed) rememberAlertsCell(userId, null);
  }, [isAllowed, userId]);
  const [shown, activeCount] = useMemo(() => {
    const known = isAllowed ? (data ?? []) : [];
    const at = serverTime(userId, now);
    return [shownAlerts(known, at), activeAlerts(known, at).length];
  }, [isAllowed, data, userId, now]);
  return {
    isAllowed,
    /** Active, unacknowledged alerts, most severe first. */
    alerts: shown,
    /** How many of the active alerts the owner has acknowledged. */
    acknowledgedCount: activeCount - shown.length,
    /** How long ago they were received, in milliseconds, if that is too long. */
    oldMs: dataUpdatedAt > 0 && now - dataUpdatedAt > OLD_MS ? now - dataUpdatedAt : null,
    /** Nothing has been received yet. */
    isPending: isPending && fetchStatus !== 'paused',
    /** Nothing is known: what was received before is shown with its age. */
    isFailed: data === undefined && (error !== null || fetchStatus === 'paused'),
    acknowledge(alert: EmergencyAlert) {
      acknowledgeHere(userId, alert);
      if (!documents) return;
      const { id, severity } = alert;
      sendLater(documents, 'alerts.acknowledge', { params: { id }, body: { severity } }).catch(
        (failure: unknown) => console.error('Failed to acknowledge alert', failure),
      );
    },
  };
}
