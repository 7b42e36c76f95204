import type { Filter, Db } from 'mongodb';
import { poll } from '#shared/backoff.ts';
import { unavailable } from '#shared/http/http-error.ts';
import { newId } from '#shared/ids.ts';
import { type LocationRow, locations } from './collections.ts';

type LeasedRow = LocationRow & Required<Pick<LocationRow, 'lease'>>;

/** After this time, a lease belongs to a crashed process. */
const LEASE_MS = 10_000;
const WAIT_FOR_DECISION = { first: 20, longest: 100, forMs: 5_000 };

/** Matches the place while it has this lease. */
export const underLease = ({ _id, lease }: LeasedRow): Filter<LocationRow> => ({
  _id,
  'lease.id': lease.id,
});

/**
 * Runs a step that removes, merges, or hides a place, one at a time per place. The step writes its decision with
 * `underLease`. Writers that could change the decision write first and check the lease then (`whenDecided`); the step
 * looks for such writes after it has the lease. So one of the two sees the other.
 * @param into the target of a merge; otherwise null
 * @returns null when the place is merged, removed, or leased by another request
 */
export async function withLease<T>(
  db: Db,
  id: string,
  into: string | null,
  run: (row: LeasedRow) => Promise<T>,
): Promise<T | null> {
  const lease = { id: newId(), into, expires_at: { $add: ['$$NOW', LEASE_MS] } };
  const leased = (await locations(db).findOneAndUpdate(
    {
      _id: id,
      merged_into: null,
      is_removed: { $exists: false },
      lease: { $exists: false },
    },
    [{ $set: { lease } }],
    { returnDocument: 'after' },
  )) as LeasedRow | null;
  if (!leased) return null;
  try {
    return await run(leased);
  } finally {
    await locations(db).updateOne(underLease(leased), { $unset: { lease: '' } });
  }
}

/**
 * Waits until no merge, removal, or change to private of a place is in progress.
 * @returns the place, which may be merged; null when it doesn’t exist
 * @throws HttpError 503 when that takes too long
 */
export async function whenDecided(db: Db, id: string): Promise<LocationRow | null> {
  const decided = await poll(async () => {
    const row = await locations(db).findOne({ _id: id });
    if (!row || row.is_removed) return null;
    const { lease } = row;
    if (!lease) return row;
    await locations(db).updateOne(
      { ...underLease({ ...row, lease }), $expr: { $lt: ['$lease.expires_at', '$$NOW'] } },
      { $unset: { lease: '' } },
    );
    return undefined;
  }, WAIT_FOR_DECISION);
  if (decided === undefined) throw unavailable('locations');
  return decided;
}
