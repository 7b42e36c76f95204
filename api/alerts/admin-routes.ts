import { createAlert, deactivateAlert, listAdminAlerts } from '#shared/alerts/contract.ts';
import { isDuplicate } from '../database.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import type { EmergencyAlertRow } from './rows.ts';
import { presentToAdmin } from './store.ts';
import type { Teller } from './teller.ts';

const LISTED_MAX = 500;

/** The admin panel's emergency alerts. */
export function mountAdminAlerts(api: Api, teller: Teller): void {
  const { emergencyAlerts } = api.services.database;

  serve(api, listAdminAlerts, async () => {
    const rows = await emergencyAlerts
      .find()
      .sort({ created_at: -1, _id: 1 })
      .limit(LISTED_MAX)
      .toArray();
    return { alerts: rows.map(presentToAdmin) };
  });

  serve(api, createAlert, async ({ body, caller, freshId }) => {
    const now = new Date();
    const _id = freshId();
    const alert_id = body.alert_id || `ALERT-${_id}`;
    const row: EmergencyAlertRow = {
      _id,
      alert_id,
      alert_ids: [alert_id],
      source: 'admin',
      created_by: caller.user._id,
      alert_type: body.alert_type,
      severity: body.severity,
      title: body.title,
      description: body.description,
      instructions: body.instructions ?? null,
      affected_latitude: body.affected_latitude,
      affected_longitude: body.affected_longitude,
      radius_miles: body.radius_miles,
      starts_at: body.starts_at ? new Date(body.starts_at) : now,
      expires_at: body.expires_at ? new Date(body.expires_at) : null,
      is_active: true,
      cells: [],
      sent_at: now,
      created_at: now,
      is_told: false,
    };
    try {
      await emergencyAlerts.insertOne(row);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      // A repeat after a crash finds what the first attempt made.
      const made = await emergencyAlerts.findOne({ _id });
      if (made) return { alert: presentToAdmin(made) };
      const words = 'This alert id already exists';
      throw new Refusal(409, words, { fields: { alert_id: words }, cause: error });
    }
    await teller.announceDue();
    return { alert: presentToAdmin(row) };
  });

  serve(api, deactivateAlert, async ({ params }) => {
    const row = await emergencyAlerts.findOneAndUpdate(
      { _id: params.id },
      { $set: { is_active: false } },
      { returnDocument: 'after' },
    );
    if (!row) throw new Refusal(404, 'Alert not found');
    await teller.announce(row._id);
    return { alert: presentToAdmin(row) };
  });
}
