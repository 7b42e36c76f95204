import type { Collection, Document, Filter, UpdateFilter } from 'mongodb';

const BATCH_ROWS = 500;

/**
 * Updates all rows that match, in batches in the order of their ids: each takes milliseconds, so servers that are running read and
 * write in between.
 * @param rows whose ids have one type
 * @param filter rows in the old shape; those in the new one must not match
 * @param proceed called after each batch; if it throws, the rest is left as it is
 */
export async function updateInBatches<Row extends Document & { _id: string }>(
  rows: Collection<Row>,
  filter: Filter<Row>,
  update: UpdateFilter<Row> | Document[],
  { proceed, batchRows = BATCH_ROWS }: { proceed: () => void; batchRows?: number },
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const next = (after === undefined ? {} : { _id: { $gt: after } }) as Filter<Row>;
    const ids = await rows
      .find(next, { projection: { _id: 1 }, sort: { _id: 1 }, limit: batchRows })
      .map((row) => (row as Row)._id)
      .toArray();
    const last = ids.at(-1);
    if (last === undefined) return;
    const batch = { _id: { $gte: ids[0], $lte: last } } as Filter<Row>;
    await rows.updateMany({ $and: [batch, filter] } as Filter<Row>, update);
    after = last;
    proceed();
  }
}
