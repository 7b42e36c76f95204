import type { AlertType, Severity } from '#shared/alerts/contract.ts';

/** `emergency_alerts`: every alert, by whoever issued it. */
export interface EmergencyAlertRow {
  _id: string;
  /** What its issuer calls it now. */
  alert_id: string;
  /** All that it was ever called, and what it replaced: each name belongs to one alert. Unique. */
  alert_ids: string[];
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
  /** Where the weather service says that it holds, by cell; an admin's alert holds in its circle. */
  cells: string[];
  /** When its issuer said so: what was said later wins. */
  sent_at: Date;
  created_at: Date;
  /** What admins find it by: see `api/admin/search.ts`. */
  words: string[];
  /** How often an admin changed it; left out before the first time. */
  version?: number;
  /** Whether those whom it concerns were told when its time came. */
  is_told: boolean;
}

/** `emergency_alert_acknowledgements`: who has seen what. */
export interface AcknowledgementRow {
  /** `<user id> <alert id>`. */
  _id: string;
  user_id: string;
  alert_id: string;
  /** How grave it was then: what became graver is to be seen again. */
  severity: Severity;
  acknowledged_at: Date;
}

/** `nws_cells`: when the weather service was last asked about a cell. */
export interface NwsCellRow {
  /** The cell's name. */
  _id: string;
  polled_at: Date;
}
