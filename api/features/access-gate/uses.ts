import type { Filter } from 'mongodb';
import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { newId } from '#shared/ids.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import {
  type AccessCodeRow,
  type AccessCodeUseRow,
  type Reservation,
  accessCodes,
  accessCodeUses,
} from './collections.ts';

export const ACCESS_SECONDS = ACCESS_DAYS * 24 * 60 * 60;

/** Returns when the access of a use ends that begins at once. */
export const accessEnd = (usedAt: Date): Date => new Date(usedAt.getTime() + ACCESS_SECONDS * 1000);

/**
 * Returns when access ends after these uses, in any order: the days of a use are added to those that were left at its time.
 * Null without uses.
 */
export const accessEndOf = (uses: readonly Pick<AccessCodeUseRow, 'used_at'>[]): Date | null =>
  uses
    .map(({ used_at }) => used_at)
    .toSorted((a, b) => a.getTime() - b.getTime())
    .reduce<Date | null>((end, at) => accessEnd(end && end > at ? end : at), null);

/**
 * How long a use stays reserved; then the background job deletes the reservation, and uncounts the use if it wasn’t
 * recorded.
 */
const RESERVED_MS = MINUTE_MS;

/** Matches codes that can be used now, with or without uses left. */
export const usable = (code: string, now: Date): Filter<AccessCodeRow> => ({
  code,
  is_active: true,
  $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
});
const unspent = { $or: [{ max_uses: null }, { $expr: { $lt: ['$current_uses', '$max_uses'] } }] };

/** A counted use with its future id. */
export interface Counted {
  code: Pick<AccessCodeRow, '_id' | 'code'>;
  reservation: Reservation;
}

/**
 * Counts a use and reserves it for the claimant in one step. A claimant who retries gets the earlier reservation.
 * @returns null when the code can’t be used
 */
export async function countUse(
  { db }: Pick<Services, 'db'>,
  code: string,
  claimant: string,
  now: Date,
): Promise<Counted | null> {
  const reservation = { use_id: newId(), claimant, at: now };
  const mine = { $elemMatch: { claimant, at: { $gt: new Date(now.getTime() - RESERVED_MS) } } };
  const counted = await accessCodes(db).findOneAndUpdate(
    { $and: [usable(code, now), unspent, { reservations: { $not: mine } }] },
    { $inc: { current_uses: 1 }, $push: { reservations: reservation } },
  );
  if (counted) return { code: counted, reservation };
  const begun = await accessCodes(db).findOne({ ...usable(code, now), reservations: mine });
  const earlier = begun?.reservations?.findLast((entry) => entry.claimant === claimant);
  return begun && earlier ? { code: begun, reservation: earlier } : null;
}

/**
 * Records a counted use; may be repeated.
 * @returns whether it belongs to this user: a claimant who signed in as two users at once gets it for the first
 */
export async function recordUse(
  { db }: Pick<Services, 'db'>,
  { code, reservation }: Counted,
  use: Pick<AccessCodeUseRow, 'user_id' | 'ip_address'>,
): Promise<boolean> {
  const { use_id: _id, at: used_at } = reservation;
  const { user_id } = use;
  const { upsertedCount } = await accessCodeUses(db).updateOne(
    { _id },
    { $setOnInsert: { access_code_id: code._id, used_at, ...use } },
    { upsert: true },
  );
  if (upsertedCount > 0 || user_id === null) return true;
  const theirs = { _id, user_id: { $in: [null, user_id] } };
  return (await accessCodeUses(db).updateOne(theirs, { $set: { user_id } })).matchedCount > 0;
}

/** Deletes expired reservations, and uncounts uses that a crash left unrecorded. */
export async function settleReservations({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(Date.now() - RESERVED_MS);
  const codes = await accessCodes(db)
    .find({ 'reservations.at': { $lt: before } })
    .toArray();
  await forEachIsolated(codes, async ({ _id, reservations = [] }) => {
    for (const { use_id, at } of reservations) {
      if (at >= before) continue;
      const recorded = await accessCodeUses(db).findOne(
        { _id: use_id },
        { projection: { _id: 1 } },
      );
      await accessCodes(db).updateOne(
        { _id, 'reservations.use_id': use_id },
        {
          $pull: { reservations: { use_id } },
          ...(recorded ? {} : { $inc: { current_uses: -1 } }),
        },
      );
    }
  });
}
