import type { Collection, Db, Document, Filter } from 'mongodb';
import { batchCalls } from '#shared/server/batches.ts';

/** The shortest time between two queries. */
const GATHER_MS = 5;

/**
 * Reads rows by their id: those that are asked for at the same moment, with one query. Nothing is kept.
 * @param more what else a row must match, when it is read
 * @returns null if there is no such row
 */
export function readTogether<Row extends { _id: string }>(
  rows: Pick<Collection<Row>, 'find'>,
  more: () => Filter<Row> = () => ({}),
  projection: Document = {},
): (id: string) => Promise<Row | null> {
  const read = batchCalls(
    async (ids: string[]) => {
      const filter = { _id: { $in: [...new Set(ids)] }, ...more() } as Filter<Row>;
      const found = await rows.find(filter, { projection }).toArray();
      return new Map((found as unknown as Row[]).map((row) => [row._id, row]));
    },
    { pauseMs: GATHER_MS, isOrdered: false },
  );
  return async (id) => (await read(id)).get(id) ?? null;
}

/** Returns a function that makes something once for each database. */
export function oncePerDatabase<T>(make: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Db, T>();
  return (db) => {
    const known = made.get(db);
    if (known) return known;
    const fresh = make(db);
    made.set(db, fresh);
    return fresh;
  };
}
