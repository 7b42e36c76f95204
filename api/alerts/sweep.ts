import type { Db } from 'mongodb';
import { acknowledgements, emergencyAlerts, nwsCells } from './collections.ts';
import { DAY_MS } from '#shared/time.ts';

/**
 * Deletes alerts of the weather service a day after their end, and acknowledgements of all that ended.
 */
export async function sweepAlerts(db: Db): Promise<void> {
  const yesterday = new Date(Date.now() - DAY_MS);
  const over = await emergencyAlerts(db)
    .find(
      {
        $or: [
          // Not while a cell reports it: the next poll would import it as a new one.
          { is_active: false, sent_at: { $lt: yesterday }, expires_at: null, cells: [] },
          { expires_at: { $lt: yesterday } },
        ],
      },
      { projection: { source: 1 } },
    )
    .toArray();
  await acknowledgements(db).deleteMany({ alert_id: { $in: over.map(({ _id }) => _id) } });
  const issued = over.filter(({ source }) => source === 'nws').map(({ _id }) => _id);
  await emergencyAlerts(db).deleteMany({ _id: { $in: issued } });
  await nwsCells(db).deleteMany({ expires_at: { $lt: yesterday } });
}
