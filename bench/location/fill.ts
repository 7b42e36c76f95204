import type { Collection, OptionalUnlessRequiredId } from 'mongodb';

const BATCH = 5_000;

/** Inserts one row for each index, fast and without durability, because the bench's data is not needed afterwards. */
export async function fill<T extends { _id: string | number }>(
  collection: Collection<T>,
  indexes: Iterable<number>,
  row: (index: number) => T,
): Promise<void> {
  let batch: OptionalUnlessRequiredId<T>[] = [];
  const flush = async () => {
    if (batch.length > 0)
      await collection.insertMany(batch, {
        ordered: false,
        writeConcern: { w: 1, journal: false },
      });
    batch = [];
  };
  for (const index of indexes) {
    batch.push(row(index) as OptionalUnlessRequiredId<T>);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
}

export function* upTo(size: number): Generator<number> {
  for (let index = 0; index < size; index += 1) yield index;
}

/** Rows in the making must not go stale before they are measured. */
export const laterThanTheBench = (): Date => new Date(Date.now() + 60 * 60_000);
