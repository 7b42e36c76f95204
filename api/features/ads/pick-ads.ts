import type { Collection, Document } from 'mongodb';

/**
 * Picks rows by priority, if they have one. The order of rows with equal priority is random, so that each comes first
 * equally often.
 */
export const pickAds = <Row extends Document>(
  collection: Pick<Collection<Row>, 'aggregate'>,
  match: Document,
  limit: number,
): Promise<Row[]> =>
  collection
    .aggregate<Row>([
      { $match: match },
      { $set: { drawn: { $rand: {} } } },
      { $sort: { priority: -1, drawn: 1 } },
      { $limit: limit },
      { $unset: 'drawn' },
    ])
    .toArray();
