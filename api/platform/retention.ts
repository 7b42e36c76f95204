import type { Collection, Document, Filter, UpdateFilter } from 'mongodb';

/** Rows per batch, and batches per run; the next run, ten minutes later, continues. */
const BATCH = 1_000;
const BATCHES_MAX = 50;

/** How long IP addresses and browser names are stored, in days. */
export const ADDRESS_DAYS = 90;

/** Matches rows whose IP address isn’t cleared yet. */
export const HAS_ADDRESS = { ip_address: { $gt: '' } };

async function inBatches<Row extends Document>(
  rows: Collection<Row>,
  due: Filter<Row>,
  work: (batch: Filter<Row>) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; done < BATCHES_MAX; done++) {
    const found = await rows
      .find(due, { projection: { _id: 1 } })
      .limit(BATCH)
      .toArray();
    if (found.length === 0) return;
    // Rows may have changed since the query.
    await work({ $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, due] } as Filter<Row>);
    if (found.length < BATCH) return;
  }
}

/**
 * Deletes due rows, up to a limit per run.
 * @param due served by an index
 */
export const deleteDue = <Row extends Document>(
  rows: Collection<Row>,
  due: Filter<Row>,
): Promise<void> => inBatches(rows, due, (batch) => rows.deleteMany(batch));

/**
 * Clears fields of due rows, up to a limit per run.
 * @param due served by an index; must not match updated rows
 */
export const clearDue = <Row extends Document>(
  rows: Collection<Row>,
  due: Filter<Row>,
  update: UpdateFilter<Row>,
): Promise<void> => inBatches(rows, due, (batch) => rows.updateMany(batch, update));
