import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import { cellKey } from '#shared/weather/rules.ts';
import type { Place } from '#shared/place.ts';
import { isDuplicate } from '#shared/server/duplicate-key.ts';
import type { CapMessage } from './cap.ts';
import { type EmergencyAlertRow, emergencyAlerts } from './collections.ts';
import { NWS_CELL_DECIMALS, wordsOfAlert } from './store.ts';

/** About half of a cell’s diagonal: for alerts without an area. */
const CELL_RADIUS_MILES = 0.5;

/**
 * Imports the weather service’s alerts for a cell: new ones, updates, cancellations, and alerts that no longer cover
 * the cell. May be repeated and called in any order.
 * @returns the ids of changed alerts
 */
export async function importAlerts(
  db: Db,
  place: Place,
  messages: readonly CapMessage[],
  now = new Date(),
): Promise<string[]> {
  const cell = cellKey(place, NWS_CELL_DECIMALS);
  const changed = new Set<string>();

  async function cancel({ alert_id, references, sent_at }: CapMessage): Promise<void> {
    const ids = [alert_id, ...references];
    for (const { _id } of await emergencyAlerts(db)
      .find({ alert_ids: { $in: ids } })
      .toArray()) {
      const { modifiedCount } = await emergencyAlerts(db).updateOne(
        { _id, is_active: true, sent_at: { $lt: sent_at } },
        { $set: { is_active: false, sent_at } },
      );
      if (modifiedCount === 1) changed.add(_id);
    }
  }

  /** @returns whether to retry, because another server was faster */
  async function put(message: CapMessage): Promise<boolean> {
    const { kind: _, references, circle, ...said } = message;
    const ids = [...new Set([message.alert_id, ...references])];
    const area = circle ?? {
      affected_latitude: place.latitude,
      affected_longitude: place.longitude,
      radius_miles: CELL_RADIUS_MILES,
    };
    const known = await emergencyAlerts(db)
      .find({ alert_ids: { $in: ids } })
      .sort({ created_at: 1 })
      .toArray();
    const [first, ...merged] = known;
    if (!first) return insert({ ...said, ...area }, ids);
    if (message.sent_at > first.sent_at) {
      for (const { _id, alert_ids } of merged) {
        await emergencyAlerts(db).updateOne(
          { _id },
          { $set: { is_active: false, alert_ids: [_id] } },
        );
        ids.push(...alert_ids);
        changed.add(_id);
      }
      const { modifiedCount } = await emergencyAlerts(db).updateOne(
        { _id: first._id, sent_at: first.sent_at },
        {
          $set: { ...said, ...area, words: wordsOfAlert(said), is_active: true },
          $addToSet: { alert_ids: { $each: ids }, cells: cell },
        },
      );
      if (modifiedCount === 0) return true;
      changed.add(first._id);
      return false;
    }
    if (first.alert_id !== message.alert_id || first.cells.includes(cell)) return false;
    await emergencyAlerts(db).updateOne({ _id: first._id }, { $addToSet: { cells: cell } });
    changed.add(first._id);
    return false;
  }

  async function insert(
    said: Omit<CapMessage, 'kind' | 'references' | 'circle'> &
      Pick<EmergencyAlertRow, 'affected_latitude' | 'affected_longitude' | 'radius_miles'>,
    alert_ids: string[],
  ): Promise<boolean> {
    const _id = newId();
    try {
      await emergencyAlerts(db).insertOne({
        _id,
        ...said,
        alert_ids,
        source: 'nws',
        created_by: null,
        is_active: true,
        cells: [cell],
        created_at: now,
        words: wordsOfAlert(said),
        is_notified: said.starts_at <= now,
      });
    } catch (error) {
      if (isDuplicate(error)) return true;
      throw error;
    }
    changed.add(_id);
    return false;
  }

  const current = messages
    .filter(({ expires_at }) => expires_at === null || expires_at > now)
    .toSorted((a, b) => a.sent_at.getTime() - b.sent_at.getTime());
  for (const message of current)
    if (message.kind === 'cancel') await cancel(message);
    else for (let tries = 0; tries < 3 && (await put(message)); tries += 1);

  const named = current.map(({ alert_id }) => alert_id);
  const others = { source: 'nws', cells: cell, alert_ids: { $nin: named } } as const;
  await emergencyAlerts(db).updateMany(others, { $pull: { cells: cell } });
  return [...changed];
}
