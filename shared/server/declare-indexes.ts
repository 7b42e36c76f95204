import type { Collection, Document, IndexDescription, MongoError } from 'mongodb';

/** Indexes of GridFS, which the driver creates. */
const OF_THE_DRIVER = new Set(['_id_', 'filename_1_uploadDate_1', 'files_id_1_n_1']);

const INDEX_NOT_FOUND = 27;

/** The operator who shards a collection creates this index: see docs/scaling.md. */
const isShardKey = (key: Document): boolean => Object.values(key).includes('hashed');

const nameOf = ({ name, key }: IndexDescription): string =>
  name ??
  Object.entries(key)
    .map(([field, order]) => `${field}_${String(order)}`)
    .join('_');

/**
 * Creates the indexes of a collection that are missing; then drops those that are not declared: writes would pay for them. Nodes of the
 * previous version that are still running read without them for a moment.
 * @param collection of a client without a socket timeout: MongoDB builds an index while others read and write, for as long as it takes
 */
export async function declareIndexes<Row extends Document>(
  collection: Collection<Row>,
  indexes: IndexDescription[],
): Promise<void> {
  await collection.createIndexes(indexes);
  const declared = new Set(indexes.map(nameOf));
  for (const { name = '', key } of await collection.listIndexes().toArray()) {
    if (declared.has(name) || OF_THE_DRIVER.has(name) || isShardKey(key)) continue;
    await collection.dropIndex(name).catch((error: MongoError) => {
      // Another node was faster.
      if (error.code !== INDEX_NOT_FOUND) throw error;
    });
  }
}
