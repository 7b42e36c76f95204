import type { Collection, Document, Filter, UpdateFilter } from 'mongodb';

/** So much is done at a time, and no more of it in one sweep: the next one, ten minutes later, goes on. */
const BATCH = 1_000;
const BATCHES_MAX = 50;

/** How long an IP address and the name of a browser are kept, in days. */
export const ADDRESS_DAYS = 90;

/** Rows whose IP address is still to be cleared. */
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
    // What was due may have changed meanwhile.
    await work({ $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, due] } as Filter<Row>);
    if (found.length < BATCH) return;
  }
}

/** Deletes what is due, a bounded number of rows. @param due served by an index */
export const deleteDue = <Row extends Document>(
  rows: Collection<Row>,
  due: Filter<Row>,
): Promise<void> => inBatches(rows, due, (batch) => rows.deleteMany(batch));

/**
 * Clears fields of what is due, a bounded number of rows.
 * @param due served by an index, and true of no row any more that was updated
 */
export const clearDue = <Row extends Document>(
  rows: Collection<Row>,
  due: Filter<Row>,
  update: UpdateFilter<Row>,
): Promise<void> => inBatches(rows, due, (batch) => rows.updateMany(batch, update));
