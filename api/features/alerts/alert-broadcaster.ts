import { setImmediate as turn } from 'node:timers/promises';
import { isSevere } from '#shared/alerts/rules.ts';
import type { Place } from '#shared/place.ts';
import { cellKey } from '#shared/weather/rules.ts';
import type { Services } from '../../platform/services.ts';
import {
  type AcknowledgementRow,
  type EmergencyAlertRow,
  acknowledgements,
  emergencyAlerts,
  nwsCells,
} from './collections.ts';
import {
  acknowledgementId,
  activeAt,
  alertsInCell,
  eventIdOf,
  holdsAt,
  NWS_CELL_DECIMALS,
  present,
  SUBJECT_SEPARATOR,
  alertOf,
  subjectOf,
} from './store.ts';

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
  /** Announces what changed in a cell of the weather service since the last call for it. */
  announceCell(cell: string): Promise<void>;
  /** Announces alerts that have started. */
  announceDue(): Promise<void>;
}

/** Returns the positions of those of the users who share one now. */
export type PositionsOf = (userIds: string[]) => Promise<(Place & { userId: string })[]>;

/** An alert that a user sees or no longer sees. */
interface Touched {
  userId: string;
  id: string;
  /** Null if it doesn’t hold where the user is. */
  row: EmergencyAlertRow | null;
}

/** Creates the broadcaster of one node. It notifies by the streams that are open on this node. */
export function createAlertBroadcaster(
  services: Services,
  positionsOf: PositionsOf,
): AlertBroadcaster {
  const { db, events, log, push, signals } = services;
  const gathered = new Set<string>();
  let gathering: NodeJS.Timeout | null = null;

  /** Returns the admins’ alerts, and for each cell the weather service’s alerts that changed, with the row where they hold. */
  async function changesOf(subjects: string[]) {
    const cells = new Map<string, Map<string, EmergencyAlertRow | null>>();
    const add = (cell: string, id: string) =>
      void cells.set(cell, (cells.get(cell) ?? new Map()).set(id, null));
    const whole: string[] = [];
    for (const subject of subjects) {
      const [id = '', cell] = subject.split(SUBJECT_SEPARATOR);
      if (cell) add(cell, id);
      else whole.push(id);
    }
    const rows = await emergencyAlerts(db)
      .find({ _id: { $in: whole } })
      .toArray();
    // One that an admin ended ends in each cell.
    for (const row of rows)
      if (row.source === 'nws') for (const cell of row.cells) add(cell, eventIdOf(row));
    for (const [cell, changed] of cells)
      for (const row of await alertsInCell(db, cell))
        if (changed.has(eventIdOf(row))) changed.set(eventIdOf(row), row);
    return { issued: rows.filter(({ source }) => source === 'admin'), cells };
  }

  async function broadcast(subjects: string[]): Promise<void> {
    const { issued, cells } = await changesOf(subjects);
    const active = await emergencyAlerts(db)
      .find(
        { _id: { $in: issued.map(({ _id }) => _id) }, ...activeAt(new Date()) },
        { projection: { _id: 1 } },
      )
      .toArray();
    const current = new Set(active.map(({ _id }) => _id));
    const touched: Touched[] = [];
    const userIds = [...events.userIds()];
    for (let from = 0; from < userIds.length; from += BATCH)
      for (const person of await positionsOf(userIds.slice(from, from + BATCH))) {
        const { userId } = person;
        for (const row of issued)
          if (holdsAt(row, person))
            touched.push({ userId, id: row._id, row: current.has(row._id) ? row : null });
        for (const [id, row] of cells.get(cellKey(person, NWS_CELL_DECIMALS)) ?? [])
          touched.push({ userId, id, row });
      }
    // Only for these users: an alert may have many more acknowledgements.
    const wanted = touched
      .filter(({ row }) => row !== null)
      .map(({ id, userId }) => acknowledgementId(userId, id));
    const byId = new Map<string, AcknowledgementRow>();
    for (let from = 0; from < wanted.length; from += BATCH)
      for await (const one of acknowledgements(db).find({
        _id: { $in: wanted.slice(from, from + BATCH) },
      }))
        byId.set(one._id, one);
    for (const { row, id, userId } of touched)
      if (row) {
        const alert = present(row, userId, byId.get(acknowledgementId(userId, id)));
        events.deliver(userId, { type: 'alert', alert });
      } else events.deliver(userId, { type: 'alert_over', id });
  }

  const stopListening = signals.listen((signal) => {
    if (signal === 'lost' || signal.topic !== 'alert') return;
    gathered.add(signal.user_id);
    gathering ??= setTimeout(() => {
      gathering = null;
      const subjects = [...gathered];
      gathered.clear();
      broadcast(subjects).catch((err: unknown) => log.warn({ err }, 'could not broadcast alerts'));
    }, GATHER_MS);
  });
  services.onClose(() => {
    stopListening();
    if (gathering) clearTimeout(gathering);
  });

  /** Tells the devices of subscribers in the area of severe alerts, also those without a stream. */
  async function pushSevere(rows: EmergencyAlertRow[], cell?: string): Promise<void> {
    const severe = rows.filter(isSevere);
    if (severe.length === 0) return;
    for await (const subscribers of push.subscribers())
      for (const person of await positionsOf(subscribers)) {
        const isHere = cell && cellKey(person, NWS_CELL_DECIMALS) === cell;
        for (const row of severe)
          if (isHere || (!cell && holdsAt(row, person))) {
            const id = eventIdOf(row);
            await push.notify({
              topic: 'alert',
              user_id: person.userId,
              subject: subjectOf(id, cell),
              key: `alert ${person.userId} ${id} ${row.severity}`,
              tag: `alert:${id}`,
            });
          }
      }
  }

  async function announce(alertId: string): Promise<void> {
    await signals.send('alert', alertId);
    const row = await alertOf(db, alertId);
    if (row) await pushSevere([row]);
  }
  return {
    announce,
    async announceCell(cell) {
      const rows = await alertsInCell(db, cell);
      const before = (await nwsCells(db).findOne({ _id: cell }))?.announced ?? [];
      const announced = rows.map((row) => ({ event_id: eventIdOf(row), alert_id: row.alert_id }));
      const isIn = (list: typeof announced, { event_id, alert_id }: (typeof announced)[number]) =>
        list.some((one) => one.event_id === event_id && one.alert_id === alert_id);
      const changed = new Set(
        [
          ...announced.filter((one) => !isIn(before, one)),
          ...before.filter((one) => !isIn(announced, one)),
        ].map(({ event_id }) => event_id),
      );
      if (changed.size === 0) return;
      for (const id of changed) await signals.send('alert', subjectOf(id, cell));
      await pushSevere(
        rows.filter((row) => changed.has(eventIdOf(row))),
        cell,
      );
      // Announced first: twice is better than never.
      await nwsCells(db).updateOne({ _id: cell }, { $set: { announced } });
    },
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
