import type { Rows } from './rows.ts';
import { DAY_MS, MINUTE_MS, type Person, type Street } from './user-cluster.ts';
import { ALERTS } from './sample-data.ts';
import { wordsOfAlert } from '../../api/alerts/store.ts';

/** So many streets have an emergency alert together. */
const STREETS_AN_ALERT = 250;

/** Adds an admin's emergency alert where a street has one: some hold, most are over. */
export function addAlert(street: Street, rows: Rows): void {
  if (street.number % STREETS_AN_ALERT !== 0) return;
  const chance = street.choices('alert');
  const [alert_type, severity, title, description, instructions] = chance.pick(ALERTS);
  const alert_id = `seed-${street.seed}-${street.number}`;
  const isOver = chance.chance(0.6);
  const starts_at = new Date(
    street.now.getTime() -
      (isOver ? chance.whole(2, 90) * DAY_MS : chance.whole(1, 300) * MINUTE_MS),
  );
  rows.emergency_alerts.push({
    _id: street.id('alert'),
    alert_id,
    alert_ids: [alert_id],
    source: 'admin',
    created_by: (street.people as [Person])[0].id,
    alert_type,
    severity,
    title,
    description,
    instructions,
    affected_latitude: street.at.latitude,
    affected_longitude: street.at.longitude,
    radius_miles: chance.whole(2, 20),
    starts_at,
    expires_at: new Date(starts_at.getTime() + DAY_MS),
    is_active: true,
    cells: [],
    sent_at: starts_at,
    created_at: starts_at,
    words: wordsOfAlert({ alert_id, title, description }),
    is_notified: true,
  });
}
