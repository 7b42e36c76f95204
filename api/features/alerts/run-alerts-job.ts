import type { Db } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import {
  acknowledgements,
  type EmergencyAlertRow,
  emergencyAlerts,
  nwsCells,
} from './collections.ts';
import { eventIdOf } from './store.ts';

/**
 * Deletes messages of the weather service a day after their end, and acknowledgements of alerts that ended.
 */
export async function runAlertsJob(db: Db): Promise<void> {
  const yesterday = new Date(Date.now() - DAY_MS);
  const over = await emergencyAlerts(db)
    .find(
      {
        $or: [
          // Not while it is in force in a cell: the next poll would import it as a new one.
          { is_active: false, sent_at: { $lt: yesterday }, expires_at: null, cells: [] },
          { source: 'nws', sent_at: { $lt: yesterday }, expires_at: null, cells: [] },
          { expires_at: { $lt: yesterday } },
        ],
      },
      { projection: { source: 1, event_id: 1 } },
    )
    .toArray();
  const ids = over.map(({ _id }) => _id);
  const events = [...new Set(over.map((row) => eventIdOf(row as EmergencyAlertRow)))];
  // Later messages may go on with the alert.
  const continued = await emergencyAlerts(db).distinct('event_id', {
    event_id: { $in: events },
    _id: { $nin: ids },
  });
  const ended = events.filter((id) => !continued.includes(id));
  await acknowledgements(db).deleteMany({ alert_id: { $in: ended } });
  const issued = over.filter(({ source }) => source === 'nws').map(({ _id }) => _id);
  await emergencyAlerts(db).deleteMany({ _id: { $in: issued } });
  await nwsCells(db).deleteMany({ expires_at: { $lt: yesterday } });
}
