import type { Filter } from 'mongodb';
import type { z } from 'zod';
import {
  createAlert,
  deactivateAlert,
  exportAlerts,
  getAlertReach,
  listAdminAlerts,
} from '#shared/alerts/admin-contract.ts';
import { countedArea } from '#shared/alerts/rules.ts';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import { readAll, readPage, type Order } from '../../platform/admin/keyset-pagination.ts';
import { wordPrefixFilter } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import { createRow, edit } from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { namesOfTowns } from '../geocoder/gazetteer.ts';
import type { AlertBroadcaster } from './alert-broadcaster.ts';
import { type EmergencyAlertRow, emergencyAlerts } from './collections.ts';
import { presentToAdmin, wordsOfAlert } from './store.ts';

type Wanted = z.output<NonNullable<(typeof exportAlerts)['query']>>;

/** Sort orders of the admin list. */
const ALERT_ORDERS: Record<Wanted['sort'], Order<EmergencyAlertRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
};

/** An alert is active by its switch and its times, and one of the weather service where it is in force. */
function statusFilter(status: Wanted['status'], now: Date): Filter<EmergencyAlertRow> {
  if (status === 'active')
    return {
      is_active: true,
      $and: [
        { $or: [{ expires_at: null }, { expires_at: { $gt: now } }] },
        { $or: [{ source: 'admin' }, { 'cells.0': { $exists: true } }] },
      ],
    };
  return status === 'over'
    ? { $or: [{ is_active: false }, { expires_at: { $lte: now } }, { source: 'nws', cells: [] }] }
    : {};
}

/** Returns the filter for an admin’s query. */
const alertFilter = (
  { search, status, severity, source }: Wanted,
  now: Date,
): Filter<EmergencyAlertRow> => ({
  ...wordPrefixFilter(search),
  ...statusFilter(status, now),
  ...(severity ? { severity } : {}),
  ...(source ? { source } : {}),
});

/** Counts the people who share a position now within some meters of a place. */
type CountAround = (place: Place, meters: number) => Promise<number>;

/** The reach of an alert is told in steps of so many people. */
const REACH_STEP = 10;

/** The admin panel's emergency alerts. */
export function mountAdminAlerts(
  api: Api,
  broadcaster: AlertBroadcaster,
  countAround: CountAround,
): void {
  const { services } = api;

  serve(api, listAdminAlerts, async ({ query }) => {
    const filter = alertFilter(query, new Date());
    const list = { filter, orders: ALERT_ORDERS, query };
    const { rows, paged } = await readPage(emergencyAlerts(services.db), list);
    const shown = rows.map(presentToAdmin);
    const near = await namesOfTowns(
      shown.map(({ affected_latitude: latitude, affected_longitude: longitude }) => ({
        latitude,
        longitude,
      })),
    );
    const alerts = shown.map((alert, at) => ({ ...alert, near: near[at] ?? null }));
    return { alerts, ...paged };
  });

  serveExport(api, exportAlerts, {
    kind: 'emergency-alert',
    name: 'emergency-alerts',
    rows: (query) =>
      readAll(emergencyAlerts(services.db), {
        filter: alertFilter(query, new Date()),
        orders: ALERT_ORDERS,
        query,
      }),
    columns: {
      'Alert id': (row) => row.alert_id,
      Type: (row) => row.alert_type,
      Severity: (row) => row.severity,
      Title: (row) => row.title,
      Description: (row) => row.description,
      Instructions: (row) => row.instructions,
      Latitude: (row) => row.affected_latitude,
      Longitude: (row) => row.affected_longitude,
      'Radius (miles)': (row) => row.radius_miles,
      Starts: (row) => row.starts_at,
      Expires: (row) => row.expires_at,
      Active: (row) => (presentToAdmin(row).is_active ? 'yes' : 'no'),
      Source: (row) => row.source,
    },
  });

  serve(api, getAlertReach, async ({ query: { radius_miles, ...place } }) => {
    const area = countedArea(place, radius_miles);
    const people = await countAround(area.place, area.miles * METERS_PER_MILE);
    return { people: Math.floor(people / REACH_STEP) * REACH_STEP };
  });

  serve(api, createAlert, async ({ body, caller, freshId }) => {
    const now = new Date();
    const _id = freshId();
    const alert_id = body.alert_id || `ALERT-${_id}`;
    const fields = {
      ...body,
      alert_id,
      instructions: body.instructions ?? null,
      starts_at: body.starts_at ? new Date(body.starts_at) : now,
      expires_at: body.expires_at ? new Date(body.expires_at) : null,
    };
    const row: EmergencyAlertRow = {
      _id,
      ...fields,
      alert_ids: [alert_id],
      source: 'admin',
      created_by: caller.user._id,
      is_active: true,
      cells: [],
      sent_at: now,
      created_at: now,
      words: wordsOfAlert(fields),
      is_notified: false,
    };
    const alert = await createRow(services, emergencyAlerts(services.db), {
      caller,
      act: 'emergency-alert.create',
      row,
      auditFields: fields,
      conflict: { field: 'alert_id', message: 'This alert ID already exists' },
    });
    await broadcaster.announceDue();
    return { alert: presentToAdmin(alert) };
  });

  serve(api, deactivateAlert, async ({ params: { id }, caller }) => {
    const row = await edit(services, emergencyAlerts(services.db), {
      caller,
      act: 'emergency-alert.deactivate',
      id,
      set: { is_active: false },
      missing: 'Alert not found',
    });
    await broadcaster.announce(row._id);
    return { alert: presentToAdmin(row) };
  });
}
