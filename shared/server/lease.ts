import type { Collection, Document, Filter, UpdateFilter, WithId } from 'mongodb';
import { isDuplicate } from './database-errors.ts';

/**
 * A row that one holder has at a time, by the clock of the database: the clocks of the nodes don't matter. Not for leases that are
 * fields of rows with conditions of their own: of places, weather readings, the mail queue, whose lease is its next due time, and
 * payments, which are safe without one (decision 80).
 */
export interface LeaseRow {
  _id: string;
  holder: string;
  expires_at: Date;
}

const NEVER = new Date(0);

/**
 * Takes a lease that is free, or renews the holder's own, in one update.
 * @param fields that the row gets with it
 * @param isTakenFrom a condition on which it is taken from another holder
 * @returns the row, with its holder: this one or another
 */
export async function takeLease<Row extends LeaseRow>(
  rows: Collection<Row>,
  id: Row['_id'],
  holder: string,
  {
    lastsMs,
    fields = {},
    isTakenFrom = false,
  }: { lastsMs: number; fields?: Partial<Row>; isTakenFrom?: Document | false },
): Promise<WithId<Row> | null> {
  const isFree = {
    $or: [
      { $eq: ['$holder', { $literal: holder }] },
      { $lte: [{ $ifNull: ['$expires_at', NEVER] }, '$$NOW'] },
      isTakenFrom,
    ],
  };
  const values: Document = { expires_at: { $add: ['$$NOW', lastsMs] } };
  for (const [field, value] of Object.entries({ ...fields, holder }))
    values[field] = { $literal: value };
  const set: Document = {};
  for (const [field, value] of Object.entries(values))
    set[field] = { $cond: [isFree, value, `$${field}`] };
  const byId = { _id: id } as Filter<Row>;
  try {
    return await rows.findOneAndUpdate(byId, [{ $set: set }], {
      upsert: true,
      returnDocument: 'after',
    });
  } catch (error) {
    // Two nodes that start at once insert the row at once.
    if (!isDuplicate(error)) throw error;
    return rows.findOne(byId);
  }
}

/** Lets a lease expire now. @returns whether the holder still had it */
export async function expireLease<Row extends LeaseRow>(
  rows: Collection<Row>,
  id: Row['_id'],
  holder: string,
): Promise<boolean> {
  const own = { _id: id, holder } as Filter<Row>;
  const update = { $set: { expires_at: NEVER } } as unknown as UpdateFilter<Row>;
  return (await rows.updateOne(own, update)).matchedCount === 1;
}
