import type { Collection, Document } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import { batchCalls } from '#shared/server/batches.ts';

/** The shortest time between two draws for a placement. */
const GATHER_MS = 250;

/**
 * Returns how to pick rows by priority, if they have one. The order of rows with equal priority is random, so that each comes first
 * equally often. Those who ask at the same moment get the same.
 */
export function pickTogether<Row extends Document>(
  collection: Pick<Collection<Row>, 'aggregate'>,
  matchOf: (placement: Placement, now: Date) => Document,
): (wanted: { placement: Placement; limit: number }) => Promise<Row[]> {
  const draws = new Map<string, (wanted: null) => Promise<Row[]>>();
  return ({ placement, limit }) => {
    const key = `${placement} ${limit}`;
    const draw =
      draws.get(key) ??
      batchCalls(() => pick(collection, matchOf(placement, new Date()), limit), {
        pauseMs: GATHER_MS,
        isOrdered: false,
      });
    draws.set(key, draw);
    return draw(null);
  };
}

const pick = <Row extends Document>(
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
