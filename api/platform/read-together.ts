import type { Collection, Db, Document, Filter, Sort } from 'mongodb';
import { batchCalls } from '#shared/server/batches.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';

/** The shortest time between two commands. */
const GATHER_MS = 5;
/** Reads of one command. */
const READS_MAX = 25;

/** Which rows of a collection are read. */
interface Find<Row> {
  filter: Filter<Row>;
  sort?: Sort;
  limit?: number;
  projection?: Document;
  /** Stages of an aggregation that come then. */
  stages?: Document[];
}

interface Read {
  /** The name of the collection. */
  rows: string;
  /** Is asked when the command is sent. */
  find(): Find<Document>;
}

type Outcome = { rows: Document[] } | { error: unknown };

/**
 * Finds rows: what is asked for in one turn of the event loop is read with one command, also from several collections. A command costs
 * more than the rows that it finds (decision 355). Nothing is kept, and a read that fails fails alone.
 * @param find is asked when the rows are read, again if a joined command failed
 */
export async function findTogether<Row extends Document>(
  db: Db,
  rows: Collection<Row>,
  find: () => Find<Row>,
): Promise<Row[]> {
  const read: Read = { rows: rows.collectionName, find: find as () => Find<Document> };
  const outcome = (await readsOf(db)(read)).get(read);
  if (outcome && 'error' in outcome) throw outcome.error;
  return (outcome?.rows ?? []) as unknown as Row[];
}

/** Finds a row like `findTogether`. */
export async function findOneTogether<Row extends Document>(
  db: Db,
  rows: Collection<Row>,
  filter: Filter<Row>,
): Promise<Row | null> {
  const [row] = await findTogether(db, rows, () => ({ filter, limit: 1 }));
  return row ?? null;
}

/**
 * Reads rows that several callers ask for, each by a key, with one find.
 * @param findOf which rows belong to these keys
 * @param valuesOf what each caller gets, by its key
 */
export function readByKeys<Row extends Document, Value>(
  db: Db,
  rows: Collection<Row>,
  findOf: (keys: string[]) => Find<Row>,
  valuesOf: (found: Row[], keys: string[]) => ReadonlyMap<string, Value>,
): (key: string) => Promise<Value | undefined> {
  let next: { keys: Set<string>; values: Promise<ReadonlyMap<string, Value>> } | null = null;
  const begin = () => {
    const keys = new Set<string>();
    const end = () => {
      if (next?.keys === keys) next = null;
    };
    const found = findTogether(db, rows, () => {
      end();
      return findOf([...keys]);
    }).finally(end);
    return { keys, values: found.then((all) => valuesOf(all, [...keys])) };
  };
  return async (key) => {
    next ??= begin();
    next.keys.add(key);
    return (await next.values).get(key);
  };
}

/**
 * Reads rows by their id.
 * @param more what else a row must match, when it is read
 * @returns null if there is no such row
 */
export function readTogether<Row extends { _id: string }>(
  db: Db,
  rows: Collection<Row>,
  more: () => Filter<Row> = () => ({}),
  projection?: Document,
): (id: string) => Promise<Row | null> {
  const read = readByKeys<Row, Row>(
    db,
    rows,
    (ids) => ({
      // MongoDB reads a single id without planning.
      filter: { _id: ids.length === 1 ? ids[0] : { $in: ids }, ...more() },
      ...(projection && { projection }),
    }),
    (found) => new Map(found.map((row) => [row._id, row])),
  );
  return async (id) => (await read(id)) ?? null;
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

const readsOf = oncePerDatabase((db) =>
  batchCalls(
    async (reads: Read[]) => {
      const parts = Array.from({ length: Math.ceil(reads.length / READS_MAX) }, (_, i) =>
        reads.slice(i * READS_MAX, (i + 1) * READS_MAX),
      );
      return new Map((await Promise.all(parts.map((some) => readIsolated(db, some)))).flat());
    },
    { pauseMs: GATHER_MS, holdsUpMs: 0, isWholeTurn: true },
  ),
);

/** Reads with one command. If that fails although the database works, finds by halves what fails alone. */
async function readIsolated(db: Db, reads: Read[]): Promise<[Read, Outcome][]> {
  try {
    return [...(await readAll(db, reads))].map(([read, rows]) => [read, { rows }]);
  } catch (error) {
    if (reads.length === 1 || databaseTrouble(error) === 'failover')
      return reads.map((read) => [read, { error }]);
  }
  const half = Math.ceil(reads.length / 2);
  const halves = [reads.slice(0, half), reads.slice(half)];
  return (await Promise.all(halves.map((some) => readIsolated(db, some)))).flat();
}

/** Reads with one command. */
async function readAll(db: Db, reads: Read[]): Promise<Map<Read, Document[]>> {
  const rowsOf = new Map<Read, Document[]>(reads.map((read) => [read, []]));
  const [first, ...others] = reads;
  if (!first) return rowsOf;
  const { filter, stages, ...options } = first.find();
  if (others.length === 0 && !stages)
    return rowsOf.set(first, await db.collection(first.rows).find(filter, options).toArray());
  const found = await db
    .collection(first.rows)
    .aggregate<{ read: number; row: Document }>([
      ...stagesOf({ filter, stages, ...options }, 0),
      ...others.map((read, i) => ({
        $unionWith: { coll: read.rows, pipeline: stagesOf(read.find(), i + 1) },
      })),
    ])
    .toArray();
  for (const { read, row } of found) rowsOf.get(reads[read]!)?.push(row);
  return rowsOf;
}

/** @param index of the read whose rows these are */
function stagesOf(
  { filter, sort, limit, projection, stages = [] }: Find<Document>,
  index: number,
): Document[] {
  return [
    { $match: filter },
    ...(sort ? [{ $sort: sort }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(projection ? [{ $project: projection }] : []),
    ...stages,
    { $replaceWith: { read: { $literal: index }, row: '$$ROOT' } },
  ];
}
