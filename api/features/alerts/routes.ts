import { acknowledgeAlert, listAlerts } from '#shared/alerts/contract.ts';
import { gravity, milderThan } from '#shared/alerts/rules.ts';
import { notFound } from '#shared/http/http-error.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { offered, type Api } from '../../platform/services.ts';
import { countAround } from '../proximity/count-around.ts';
import { mountAdminAlerts } from './admin-routes.ts';
import { createAlertBroadcaster } from './alert-broadcaster.ts';
import { emergencyAlerts, acknowledgements } from './collections.ts';
import { watchNws } from './nws.ts';
import { runAlertsJob } from './run-alerts-job.ts';
import {
  acknowledgementId,
  eventIdOf,
  openAlerts,
  present,
  presentToAdmin,
  type Alerts,
} from './store.ts';

/** How often alerts are polled, and those that have started are announced. */
const TICK_MS = 30_000;

declare module '../../platform/services.ts' {
  interface Offers {
    /** The alerts of a place. */
    alerts: Alerts;
  }
}

/** Emergency alerts: listed, pushed, and acknowledged. */
export function mountAlerts(api: Api): void {
  const { services } = api;
  const { positions, positionsOf } = offered(api, 'proximity');
  const { db, env, events } = services;
  const broadcaster = createAlertBroadcaster(services, positionsOf);
  const nws = env.NWS_USER_AGENT
    ? watchNws(
        services,
        { userAgent: env.NWS_USER_AGENT, url: env.NWS_URL },
        positions,
        broadcaster,
      )
    : null;
  const stored = openAlerts(db);
  const alerts: Alerts = {
    async of(userId, place) {
      await nws?.look(userId, place);
      return stored.of(userId, place);
    },
  };

  services.registerJob('alert announcements', () => broadcaster.announceDue(), {
    everyMs: TICK_MS,
  });
  // Each node knows the people who use it. A cell is polled by one node at a time.
  if (nws)
    services.registerJob('weather service alerts', () => nws.lookAll(), {
      everyMs: TICK_MS,
      onEveryNode: true,
    });
  services.registerJob('emergency alerts', () => runAlertsJob(db));
  mountAdminAlerts(api, broadcaster, countAround(db));

  const asks = services.limiter({ name: 'alerts', points: 60, seconds: 60 });

  serve(api, listAlerts, async ({ caller, query }) => {
    await asks(caller.user._id);
    const active = await alerts.of(caller.user._id, query);
    return { alerts: active, server_time: new Date().toISOString() };
  });

  serve(api, acknowledgeAlert, async ({ caller, params, body }) => {
    await services.limitChanges(caller.user._id);
    const rows = await emergencyAlerts(db)
      .find({ $or: [{ _id: params.id }, { event_id: params.id }] })
      .toArray();
    const active = rows.filter((row) => presentToAdmin(row).is_active);
    // A device can’t have seen a higher severity than the alert has anywhere.
    const gravest = (active.length > 0 ? active : rows).toSorted(
      (a, b) => gravity(b.severity) - gravity(a.severity),
    )[0];
    if (!gravest) throw notFound('Alert');
    const user_id = caller.user._id;
    const alert_id = eventIdOf(gravest);
    const _id = acknowledgementId(user_id, alert_id);
    const seen = body?.severity ?? gravest.severity;
    const severity = gravity(seen) < gravity(gravest.severity) ? seen : gravest.severity;
    const acknowledged_at = new Date();
    // A repeat keeps the first time, unless the severity is higher now.
    await acknowledgements(db).updateOne(
      { _id },
      { $setOnInsert: { user_id, alert_id, severity, acknowledged_at } },
      { upsert: true },
    );
    await acknowledgements(db).updateOne(
      { _id, severity: { $in: milderThan(severity) } },
      { $set: { severity, acknowledged_at } },
    );
    const acknowledgement = await acknowledgements(db).findOne({ _id });
    // The message that the device showed, if it is still in force: elsewhere there may be a graver one.
    const shown = active.find((row) => row.severity === severity) ?? active[0] ?? gravest;
    const known = present(shown, user_id, acknowledgement ?? undefined);
    if (known.is_acknowledged)
      // It is still active, so the user's devices must not say that there is none.
      events.send(
        user_id,
        active.length > 0 ? { type: 'alert', alert: known } : { type: 'alert_over', id: alert_id },
      );
    return { acknowledged_at: (acknowledgement?.acknowledged_at ?? acknowledged_at).toISOString() };
  });

  api.offers.alerts = alerts;
}
