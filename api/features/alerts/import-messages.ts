import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import type { Place } from '#shared/place.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { cellKey } from '#shared/weather/rules.ts';
import type { CapMessage } from './cap.ts';
import { emergencyAlerts, nwsCells } from './collections.ts';
import { type MessageOrder, resolveCell } from './resolve-cell.ts';
import { eventIdOf, NWS_CELL_DECIMALS, wordsOfAlert } from './store.ts';

/** About half of a cell’s diagonal: for alerts without an area. */
const CELL_RADIUS_MILES = 0.5;
const TRIES = 3;

/**
 * Imports the weather service’s answer for a cell: stores the messages that are in force there, and which no longer are. May be
 * repeated and interrupted.
 */
export async function importMessages(
  db: Db,
  place: Place,
  messages: readonly CapMessage[],
  now = new Date(),
): Promise<void> {
  const cell = cellKey(place, NWS_CELL_DECIMALS);
  const before = await nwsCells(db).findOne({ _id: cell });
  const { inForce, received } = resolveCell(messages.map(orderOf), before?.received ?? [], now);
  const names = new Set(inForce);
  // In the order in which they were sent, so that a chain begins with its first message.
  for (const message of messages.toSorted((a, b) => a.sent_at.getTime() - b.sent_at.getTime()))
    if (names.has(message.alert_id))
      for (let tries = 0; tries < TRIES && (await store(db, place, message, now)); tries += 1);
  const issued = { source: 'nws' } as const;
  await emergencyAlerts(db).updateMany(
    { ...issued, alert_ids: { $in: inForce }, cells: { $ne: cell } },
    { $addToSet: { cells: cell } },
  );
  // After that: for a moment there may be two, never none.
  await emergencyAlerts(db).updateMany(
    { ...issued, cells: cell, alert_id: { $nin: inForce } },
    { $pull: { cells: cell } },
  );
  await nwsCells(db).updateOne({ _id: cell }, { $set: { received } });
}

const orderOf = (message: CapMessage): MessageOrder => ({
  alert_id: message.alert_id,
  kind: message.kind,
  references: message.references,
  zones: message.zones,
  vtec: message.vtec,
  sent_at: message.sent_at,
  expires_at: message.expires_at,
});

/** @returns whether to retry, because another server was faster */
async function store(db: Db, place: Place, message: CapMessage, now: Date): Promise<boolean> {
  const rows = emergencyAlerts(db);
  const { kind: _, zones: __, circle, ...said } = message;
  const { alert_id } = message;
  const content = {
    ...said,
    ...(circle ?? {
      affected_latitude: place.latitude,
      affected_longitude: place.longitude,
      radius_miles: CELL_RADIUS_MILES,
    }),
    words: wordsOfAlert(said),
  };
  const known = await rows.findOne({ alert_ids: alert_id });
  if (known?.alert_id === alert_id) {
    if (known.event_id) return false;
    // Earlier versions had one row per chain, and ended it for all when it ended somewhere.
    await rows.updateOne(
      { _id: known._id },
      {
        $set: {
          ...content,
          event_id: known._id,
          alert_ids: [alert_id],
          ...(known.version === undefined ? { is_active: true } : {}),
        },
      },
    );
    return false;
  }
  const event_id = await eventOf(db, message);
  if (known) await rows.updateOne({ _id: known._id }, { $pull: { alert_ids: alert_id } });
  const _id = newId();
  try {
    await rows.insertOne({
      _id,
      ...content,
      alert_ids: [alert_id],
      event_id: event_id ?? _id,
      source: 'nws',
      created_by: null,
      is_active: true,
      cells: [],
      created_at: now,
      // By what changes in each cell: see `AlertBroadcaster`.
      is_notified: true,
    });
    return false;
  } catch (error) {
    if (isDuplicate(error)) return true;
    throw error;
  }
}

/** The alert that people know already: an earlier message of the same chain about the same. */
async function eventOf(
  db: Db,
  { alert_id, references, vtec, title }: CapMessage,
): Promise<string | null> {
  const ids = [alert_id, ...references];
  const first = await emergencyAlerts(db).findOne(
    {
      source: 'nws',
      title,
      $or: [{ alert_ids: { $in: ids } }, { references: { $in: ids } }, ...(vtec ? [{ vtec }] : [])],
    },
    { sort: { created_at: 1, _id: 1 } },
  );
  return first && eventIdOf(first);
}
