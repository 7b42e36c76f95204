import type { Collection, Document, Filter, Sort } from 'mongodb';
import { COUNT_MAX, type Paged } from '#shared/admin/paging.ts';
import { HttpError } from '#shared/http/http-error.ts';

/**
 * A sort order: by this field, then by `_id`. Needs an index on both, after the filter’s fields.
 */
export type Order<Row> = readonly [field: keyof Row & string, direction: 1 | -1];

/** A list query. */
export interface Wanted<Row, Name extends string> {
  filter: Filter<Row>;
  /** Sort orders by name. Their fields are never null. */
  orders: Record<Name, Order<Row>>;
  query: { sort: NoInfer<Name>; cursor?: string | undefined; limit: number };
}

type Key = string | number | Date;
interface Cursor {
  towards: 'next' | 'previous';
  value: Key;
  id: string | number;
  /** How many rows are before the page that the cursor was made on, and on it; null for cursors of the last release. */
  rank: number | null;
}

/**
 * Returns one page of a list by keyset, so that all pages cost the same.
 * @throws HttpError 400 for an invalid cursor of this order
 */
export async function readPage<
  Row extends Document & { _id: string | number },
  Name extends string,
>(
  collection: Pick<Collection<Row>, 'find' | 'countDocuments' | 'estimatedDocumentCount'>,
  { filter, orders, query: { sort, cursor, limit } }: Wanted<Row, Name>,
): Promise<{ rows: Row[]; paged: Paged }> {
  const [field, direction] = orders[sort];
  const from = cursor === undefined ? null : readCursor(cursor, sort);
  const isBack = from?.towards === 'previous';
  const way = isBack ? -direction : direction;
  const found = (await collection
    .find({ $and: [filter, beyond(from, field, way)] } as Filter<Row>, {
      sort: sorting(field, way),
      limit: limit + 1,
    })
    .toArray()) as Row[];
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (isBack) rows.reverse();
  // Rows that came or went meanwhile shift it by as many; the first page is right again.
  const before = isBack
    ? hasMore && from.rank !== null
      ? Math.max(0, from.rank - rows.length)
      : hasMore
        ? null
        : 0
    : from
      ? from.rank
      : 0;
  const at = (row: Row | undefined, towards: Cursor['towards']) => {
    if (!row) return null;
    const rank = before === null ? null : towards === 'next' ? before + rows.length : before;
    return writeCursor(sort, { towards, value: row[field], id: row._id, rank });
  };
  return {
    rows,
    paged: {
      ...(await count(collection, filter)),
      first: rows.length === 0 ? 0 : before === null ? null : before + 1,
      next_cursor: isBack || hasMore ? at(rows.at(-1), 'next') : null,
      previous_cursor: (isBack ? hasMore : from) ? at(rows[0], 'previous') : null,
    },
  };
}

/** Returns all rows of a list in order, for an export. */
export const readAll = <Row extends Document, Name extends string>(
  collection: Pick<Collection<Row>, 'find'>,
  { filter, orders, query }: Omit<Wanted<Row, Name>, 'query'> & { query: { sort: NoInfer<Name> } },
) => {
  const [field, direction] = orders[query.sort];
  return collection.find(filter, { sort: sorting(field, direction), allowDiskUse: true });
};

const sorting = (field: string, direction: number): Sort => ({
  [field]: direction === 1 ? 1 : -1,
  _id: direction === 1 ? 1 : -1,
});

function beyond(from: Cursor | null, field: string, direction: number): Document {
  if (!from) return {};
  const past = direction === 1 ? '$gt' : '$lt';
  // The first condition bounds the index scan; the second excludes ties that were read already.
  return {
    [field]: { [`${past}e`]: from.value },
    $or: [{ [field]: { [past]: from.value } }, { _id: { [past]: from.id } }],
  };
}

async function count<Row extends Document>(
  collection: Pick<Collection<Row>, 'countDocuments' | 'estimatedDocumentCount'>,
  filter: Filter<Row>,
): Promise<Pick<Paged, 'total' | 'total_is_capped'>> {
  if (Object.keys(filter).length === 0)
    return { total: await collection.estimatedDocumentCount(), total_is_capped: false };
  const counted = await collection.countDocuments(filter, { limit: COUNT_MAX + 1 });
  return { total: Math.min(counted, COUNT_MAX), total_is_capped: counted > COUNT_MAX };
}

const writeCursor = (sort: string, { towards, value, id, rank }: Cursor): string => {
  const key = value instanceof Date ? { ms: value.getTime() } : value;
  return Buffer.from(JSON.stringify([sort, towards, key, id, rank])).toString('base64url');
};

function readCursor(text: string, sort: string): Cursor {
  const wrong = (cause?: unknown) =>
    new HttpError(400, 'Invalid input', { fields: { cursor: 'Invalid input' }, cause });
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (error) {
    throw wrong(error);
  }
  if (!Array.isArray(parts) || (parts.length !== 4 && parts.length !== 5)) throw wrong();
  const [of, towards, rawValue, id, rawRank = null] = parts as unknown[];
  const rank =
    Number.isSafeInteger(rawRank) && (rawRank as number) >= 0 ? (rawRank as number) : null;
  const ms =
    typeof rawValue === 'object' && rawValue !== null && 'ms' in rawValue ? rawValue.ms : null;
  const value = typeof ms === 'number' ? new Date(ms) : rawValue;
  const isKey = typeof value === 'string' || typeof value === 'number' || value instanceof Date;
  const isId = typeof id === 'string' || typeof id === 'number';
  if (of !== sort || (towards !== 'next' && towards !== 'previous') || !isKey || !isId)
    throw wrong();
  return { towards, value, id, rank };
}
