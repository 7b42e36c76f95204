import type { Db } from 'mongodb';
import type { AlertType, Severity } from '#shared/alerts/contract.ts';
import type { LeaseRow } from '#shared/server/lease.ts';
import type { Indexes } from '../../platform/database.ts';
import type { ReceivedMessage } from './resolve-cell.ts';

/** `emergency_alerts`: alerts from admins, and messages of the weather service, each of which is a row. */
export interface EmergencyAlertRow {
  _id: string;
  /** Its issuer’s id. */
  alert_id: string;
  /** The same as a list; rows of earlier versions have the ids of the messages that they replaced, too. Unique. */
  alert_ids: string[];
  /** Of the weather service: the alert that people see and acknowledge, the id of its first row; unset in rows of earlier versions. */
  event_id?: string;
  /** The messages that it replaces where it is in force; unset for admins’ alerts. */
  references?: string[];
  /** The event’s number at its office: see `CapMessage`. */
  vtec?: string | null;
  source: 'admin' | 'nws';
  /** The admin who made it. */
  created_by: string | null;
  alert_type: AlertType;
  severity: Severity;
  title: string;
  description: string;
  instructions: string | null;
  affected_latitude: number;
  affected_longitude: number;
  radius_miles: number;
  starts_at: Date;
  expires_at: Date | null;
  is_active: boolean;
  /** The cells where it is in force; an admin’s alert covers its circle. */
  cells: string[];
  /** When its issuer sent it. */
  sent_at: Date;
  created_at: Date;
  /** Words for the admin search: see `api/platform/admin/search.ts`. */
  words: string[];
  /** How often an admin changed it; unset before the first change. */
  version?: number;
  /** Whether users were notified when it started. */
  is_notified: boolean;
}

/** `emergency_alert_acknowledgements`: who acknowledged which alert. */
export interface AcknowledgementRow {
  /** `<user id> <alert id>`. */
  _id: string;
  user_id: string;
  /** As people see it: of the weather service’s alerts, the `event_id`. */
  alert_id: string;
  /** Its severity then: a more severe version is shown again. */
  severity: Severity;
  acknowledged_at: Date;
}

export const emergencyAlerts = (db: Db) => db.collection<EmergencyAlertRow>('emergency_alerts');
export const acknowledgements = (db: Db) =>
  db.collection<AcknowledgementRow>('emergency_alert_acknowledgements');

/** `nws_cells`: cells that a node has just polled: until the lease expires, no node polls them again. */
export interface NwsCellRow extends LeaseRow {
  /** The messages that were listed for it lately; unset before the first answer. */
  received?: ReceivedMessage[];
  /** What the people in it were told. */
  announced?: { event_id: string; alert_id: string }[];
}
export const nwsCells = (db: Db) => db.collection<NwsCellRow>('nws_cells');

export const alertIndexes: Indexes = {
  emergency_alerts: [
    { key: { alert_ids: 1 }, unique: true },
    { key: { cells: 1 } },
    { key: { event_id: 1 } },
    { key: { references: 1 } },
    { key: { vtec: 1 } },
    { key: { source: 1, affected_latitude: 1 } },
    { key: { words: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { is_active: 1, created_at: -1, _id: -1 } },
    { key: { severity: 1, created_at: -1, _id: -1 } },
    { key: { source: 1, created_at: -1, _id: -1 } },
    { key: { is_notified: 1 }, partialFilterExpression: { is_notified: false } },
    { key: { expires_at: 1 } },
  ],
  emergency_alert_acknowledgements: [{ key: { user_id: 1 } }, { key: { alert_id: 1 } }],
  nws_cells: [{ key: { expires_at: 1 } }],
};
