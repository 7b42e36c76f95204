import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import type { Rows } from './rows.ts';
import { type Person, type Street } from './user-cluster.ts';
import { ALERTS } from './sample-data.ts';
import { wordsOfAlert } from '../../api/features/alerts/store.ts';

/** One of this many streets has an emergency alert. */
const STREETS_PER_ALERT = 250;

/** Adds an admin's emergency alert to some streets. Most are over. */
export function addAlert(street: Street, rows: Rows): void {
  if (street.number % STREETS_PER_ALERT !== 0) return;
  const random = street.random('alert');
  const [alert_type, severity, title, description, instructions] = random.pick(ALERTS);
  const alert_id = `seed-${street.seed}-${street.number}`;
  const isOver = random.chance(0.6);
  const starts_at = new Date(
    street.now.getTime() -
      (isOver ? random.integer(2, 90) * DAY_MS : random.integer(1, 300) * MINUTE_MS),
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
    radius_miles: random.integer(2, 20),
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
