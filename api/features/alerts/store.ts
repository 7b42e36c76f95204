import type { Filter, Db } from 'mongodb';
import type { AdminAlert } from '#shared/alerts/admin-contract.ts';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { byGravity, gravity, isAffected, RADIUS_MAX_MILES } from '#shared/alerts/rules.ts';
import { METERS_PER_MILE, metersBetween, type Place } from '#shared/place.ts';
import { cellKey } from '#shared/weather/rules.ts';
import { wordsOf } from '../../platform/admin/search.ts';
import { findTogether } from '../../platform/read-together.ts';
import {
  type AcknowledgementRow,
  type EmergencyAlertRow,
  emergencyAlerts,
  acknowledgements,
} from './collections.ts';

/** Cells for the weather service have this many decimals: about 0.7 miles. */
export const NWS_CELL_DECIMALS = 2;

export interface Alerts {
  /** Returns the active alerts at a place for a user: most severe first, then newest. */
  of(userId: string, place: Place): Promise<EmergencyAlert[]>;
}

/** Matches alerts that are active at a time. */
export const activeAt = (now: Date): Filter<EmergencyAlertRow> => ({
  is_active: true,
  starts_at: { $lte: now },
  $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
});

/** The id by which people see and acknowledge an alert: that of its chain of messages. */
export const eventIdOf = ({ _id, event_id }: EmergencyAlertRow): string => event_id ?? _id;

/** Weather is reissued without a reference to the last issue; of other dangers, each message is an alert. */
const issueOf = (row: EmergencyAlertRow): string =>
  row.vtec ??
  (row.alert_type === 'weather' || row.alert_type === 'air_quality' ? row.title : eventIdOf(row));

/** Of those with the same key, the gravest, and of these the one that was sent last. */
function gravestBy(
  rows: EmergencyAlertRow[],
  keyOf: (row: EmergencyAlertRow) => string,
): EmergencyAlertRow[] {
  const ordered = rows.toSorted(
    (a, b) =>
      gravity(a.severity) - gravity(b.severity) ||
      a.sent_at.getTime() - b.sent_at.getTime() ||
      (a.alert_id < b.alert_id ? -1 : 1),
  );
  return [...new Map(ordered.map((row) => [keyOf(row), row])).values()];
}

/** Returns the weather service’s alerts of a place: one of each event. @param rows the messages in force there */
const onePerEvent = (rows: EmergencyAlertRow[]): EmergencyAlertRow[] =>
  gravestBy(gravestBy(rows, eventIdOf), issueOf);

/** Returns the weather service’s alerts that hold in a cell now. */
export const alertsInCell = async (db: Db, cell: string): Promise<EmergencyAlertRow[]> =>
  onePerEvent(
    await emergencyAlerts(db)
      .find({ source: 'nws', cells: cell, ...activeAt(new Date()) })
      .toArray(),
  );

/** What a signal or a push is about: an alert’s id, of the weather service’s with the cell where it changed. */
export const SUBJECT_SEPARATOR = ' ';
export const subjectOf = (alertId: string, cell?: string): string =>
  cell ? `${alertId}${SUBJECT_SEPARATOR}${cell}` : alertId;

/** Returns the active alert that a signal or a push is about; null if it doesn’t hold any more. */
export async function alertOf(db: Db, subject: string): Promise<EmergencyAlertRow | null> {
  const [id = '', cell] = subject.split(SUBJECT_SEPARATOR);
  if (cell) return (await alertsInCell(db, cell)).find((row) => eventIdOf(row) === id) ?? null;
  return emergencyAlerts(db).findOne({ _id: id, ...activeAt(new Date()) });
}

/** Returns whether an alert covers a place. */
export const holdsAt = (row: EmergencyAlertRow, place: Place): boolean =>
  row.source === 'admin'
    ? isAffected(row, place)
    : row.cells.includes(cellKey(place, NWS_CELL_DECIMALS));

/** The largest circle’s reach in degrees of latitude. */
const REACH_DEGREES =
  (RADIUS_MAX_MILES * METERS_PER_MILE) /
  metersBetween({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 });

/** Reads alerts from the database, each with the user’s acknowledgement. */
export function openAlerts(db: Db): Alerts {
  return {
    async of(userId, place) {
      const { latitude } = place;
      const reach = { $gte: latitude - REACH_DEGREES, $lte: latitude + REACH_DEGREES };
      const candidates = await findTogether(db, emergencyAlerts(db), () => ({
        filter: {
          $and: [
            activeAt(new Date()),
            {
              $or: [
                { source: 'admin' as const, affected_latitude: reach },
                { cells: cellKey(place, NWS_CELL_DECIMALS) },
              ],
            },
          ],
        },
      }));
      const holding = candidates.filter((row) => holdsAt(row, place));
      const rows = [
        ...holding.filter(({ source }) => source === 'admin'),
        ...onePerEvent(holding.filter(({ source }) => source === 'nws')),
      ];
      if (rows.length === 0) return [];
      const seen = await acknowledgements(db)
        .find({ _id: { $in: rows.map((row) => acknowledgementId(userId, eventIdOf(row))) } })
        .toArray();
      const byAlert = new Map(seen.map((one) => [one.alert_id, one]));
      return rows
        .map((row) => present(row, userId, byAlert.get(eventIdOf(row))))
        .toSorted(byGravity);
    },
  };
}

/** One row per user and alert. @param alertId its `eventIdOf` */
export const acknowledgementId = (userId: string, alertId: string): string =>
  `${userId} ${alertId}`;

const issued = (row: EmergencyAlertRow) => ({
  alert_id: row.alert_id,
  alert_type: row.alert_type,
  severity: row.severity,
  title: row.title,
  description: row.description,
  instructions: row.instructions,
  affected_latitude: row.affected_latitude,
  affected_longitude: row.affected_longitude,
  radius_miles: row.radius_miles,
  starts_at: row.starts_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  is_active: row.is_active && (row.expires_at === null || row.expires_at > new Date()),
});

/** Returns an alert for one user. */
export function present(
  row: EmergencyAlertRow,
  userId: string,
  acknowledgement?: AcknowledgementRow,
): EmergencyAlert {
  const isAcknowledged =
    acknowledgement !== undefined && gravity(acknowledgement.severity) >= gravity(row.severity);
  return {
    id: eventIdOf(row),
    ...issued(row),
    user_id: userId,
    is_acknowledged: isAcknowledged,
    acknowledged_at: isAcknowledged ? acknowledgement.acknowledged_at.toISOString() : null,
  };
}

/** Returns an alert for admins, to whom each message of the weather service is one: active where it is in force. */
export const presentToAdmin = (row: EmergencyAlertRow): AdminAlert => {
  const { is_active, ...fields } = issued(row);
  return {
    id: row._id,
    ...fields,
    is_active: is_active && (row.source === 'admin' || row.cells.length > 0),
    source: row.source,
    near: null,
    created_at: row.created_at.toISOString(),
  };
};

/** Words for the admin search. */
export const wordsOfAlert = ({
  alert_id,
  title,
  description,
}: Pick<EmergencyAlertRow, 'alert_id' | 'title' | 'description'>): string[] =>
  wordsOf(alert_id, title, description);
