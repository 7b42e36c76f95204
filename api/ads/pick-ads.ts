import type { Collection, Document } from 'mongodb';

/**
 * The rows that come first: by priority where rows have one, equals in an order drawn anew each time, so that each
 * comes first as often as any other.
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
