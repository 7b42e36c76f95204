import { setImmediate as turn } from 'node:timers/promises';
import { isSevere } from '#shared/alerts/rules.ts';
import type { Place } from '#shared/place.ts';
import type { Services } from '../services.ts';
import {
  type AcknowledgementRow,
  type EmergencyAlertRow,
  emergencyAlerts,
  acknowledgements,
} from './collections.ts';
import { acknowledgementId, activeAt, holdsAt, present } from './store.ts';

/** Returns the users who are sharing a position now. */
export type Everybody = () => Iterable<Readonly<Place & { userId: string }>>;

/** Collects alerts for this long, so that positions are scanned once. */
const GATHER_MS = 100;
/** Users per batch, before other work gets a turn. */
const BATCH = 2_000;

/** Visits every user in batches, without blocking the server. */
export async function eachInTurn(
  everybody: Everybody,
  visit: (person: Place & { userId: string }) => void,
): Promise<void> {
  // Iterates over a copy: users who report in the meantime move to the end of the original.
  const people = [...everybody()];
  for (const [index, person] of people.entries()) {
    visit(person);
    if (index % BATCH === BATCH - 1) await turn();
  }
}

/**
 * Sends alerts to the users in their area, on every server, through a signal with the alert’s id.
 */
export interface AlertBroadcaster {
  /** Call it when an alert changed. */
  announce(alertId: string): Promise<void>;
  /** Announces alerts that have started. */
  announceDue(): Promise<void>;
}

/** Returns the positions of those of the users who share one now. */
export type PositionsOf = (userIds: string[]) => Promise<(Place & { userId: string })[]>;

/** Creates the broadcaster of one node. It notifies by the streams that are open on this node. */
export function createAlertBroadcaster(
  services: Services,
  positionsOf: PositionsOf,
): AlertBroadcaster {
  const { db, events, log, push, signals } = services;
  const gathered = new Set<string>();
  let gathering: NodeJS.Timeout | null = null;

  async function broadcast(ids: string[]): Promise<void> {
    const [rows, active] = await Promise.all([
      emergencyAlerts(db)
        .find({ _id: { $in: ids } })
        .toArray(),
      emergencyAlerts(db)
        .find({ _id: { $in: ids }, ...activeAt(new Date()) }, { projection: { _id: 1 } })
        .toArray(),
    ]);
    const current = new Set(active.map(({ _id }) => _id));
    const touched: { row: EmergencyAlertRow; userId: string }[] = [];
    const userIds = [...events.userIds()];
    for (let from = 0; from < userIds.length; from += BATCH)
      for (const person of await positionsOf(userIds.slice(from, from + BATCH)))
        for (const row of rows)
          if (holdsAt(row, person)) touched.push({ row, userId: person.userId });
    // Only for these users: an alert may have many more acknowledgements.
    const wanted = touched
      .filter(({ row }) => current.has(row._id))
      .map(({ row, userId }) => acknowledgementId(userId, row._id));
    const byId = new Map<string, AcknowledgementRow>();
    for (let from = 0; from < wanted.length; from += BATCH)
      for await (const one of acknowledgements(db).find({
        _id: { $in: wanted.slice(from, from + BATCH) },
      }))
        byId.set(one._id, one);
    for (const { row, userId } of touched)
      if (current.has(row._id)) {
        const alert = present(row, userId, byId.get(acknowledgementId(userId, row._id)));
        events.deliver(userId, { type: 'alert', alert });
      } else events.deliver(userId, { type: 'alert_over', id: row._id });
  }

  const stopListening = signals.listen((signal) => {
    if (signal === 'lost' || signal.topic !== 'alert') return;
    gathered.add(signal.user_id);
    gathering ??= setTimeout(() => {
      gathering = null;
      const ids = [...gathered];
      gathered.clear();
      broadcast(ids).catch((err: unknown) => log.warn({ err }, 'could not broadcast alerts'));
    }, GATHER_MS);
  });
  services.onClose(() => {
    stopListening();
    if (gathering) clearTimeout(gathering);
  });

  /** Tells the devices of subscribers in the area of a severe alert, also those without a stream. */
  async function pushSevere(alertId: string): Promise<void> {
    const row = await emergencyAlerts(db).findOne({ _id: alertId, ...activeAt(new Date()) });
    if (!row || !isSevere(row)) return;
    for await (const subscribers of push.subscribers())
      for (const person of await positionsOf(subscribers))
        if (holdsAt(row, person))
          await push.notify({
            topic: 'alert',
            user_id: person.userId,
            subject: alertId,
            key: `alert ${person.userId} ${alertId} ${row.severity}`,
            tag: `alert:${alertId}`,
          });
  }

  async function announce(alertId: string): Promise<void> {
    await signals.send('alert', alertId);
    await pushSevere(alertId);
  }
  return {
    announce,
    async announceDue() {
      const due = await emergencyAlerts(db)
        .find({ is_notified: false, ...activeAt(new Date()) }, { projection: { _id: 1 } })
        .toArray();
      for (const { _id } of due) {
        // Announced first: twice is better than never.
        await announce(_id);
        await emergencyAlerts(db).updateOne(
          { _id, is_notified: false },
          { $set: { is_notified: true } },
        );
      }
    },
  };
}
