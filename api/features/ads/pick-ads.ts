import type { Collection, Db, Document, Filter } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import { readByKeys } from '../../platform/read-together.ts';

/**
 * Returns how to pick rows by priority, if they have one. The order of rows with equal priority is random, so that each comes first
 * equally often. Those who ask at the same moment get the same.
 */
export function pickTogether<Row extends Document>(
  db: Db,
  collection: Collection<Row>,
  matchOf: (placement: Placement, now: Date) => Filter<Row>,
): (wanted: { placement: Placement; limit: number }) => Promise<Row[]> {
  const draws = new Map<string, (key: string) => Promise<Row[] | undefined>>();
  return async ({ placement, limit }) => {
    const key = `${placement} ${limit}`;
    const draw =
      draws.get(key) ??
      readByKeys(
        db,
        collection,
        () => ({ filter: matchOf(placement, new Date()), stages: drawn(limit) }),
        (rows) => new Map([[key, rows]]),
      );
    draws.set(key, draw);
    return (await draw(key)) ?? [];
  };
}

const drawn = (limit: number): Document[] => [
  { $set: { drawn: { $rand: {} } } },
  { $sort: { priority: -1, drawn: 1 } },
  { $limit: limit },
  { $unset: 'drawn' },
];
