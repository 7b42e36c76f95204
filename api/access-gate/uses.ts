import { randomUUID } from 'node:crypto';
import type { Filter } from 'mongodb';
import { ACCESS_DAYS } from '#shared/access-gate/contract.ts';
import type { Services } from '../services.ts';
import {
  type AccessCodeRow,
  type AccessCodeUseRow,
  type Reservation,
  accessCodes,
  accessCodeUses,
} from './collections.ts';

export const ACCESS_SECONDS = ACCESS_DAYS * 24 * 60 * 60;

/** When access that a use of a code gave ends. */
export const accessEnd = (usedAt: Date): Date => new Date(usedAt.getTime() + ACCESS_SECONDS * 1000);

/** So long a reservation stands for its use; then the sweep takes it away, with the count if it was not recorded. */
const RESERVED_MS = 60_000;

/** Codes that may be used now, whether or not there are uses left. */
export const usable = (code: string, now: Date): Filter<AccessCodeRow> => ({
  code,
  is_active: true,
  $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
});
const unspent = { $or: [{ max_uses: null }, { $expr: { $lt: ['$current_uses', '$max_uses'] } }] };

/** A use that is counted, under the id that its row will have. */
export interface Counted {
  code: Pick<AccessCodeRow, '_id' | 'code'>;
  reservation: Reservation;
}

/**
 * Counts a use of a code, in one step with the note of who does; a claimant who did and came back, because the first
 * try was cut off or is still under way, gets that one.
 * @returns null when the code is not to be used
 */
export async function countUse(
  { db }: Pick<Services, 'db'>,
  code: string,
  claimant: string,
  now: Date,
): Promise<Counted | null> {
  const reservation = { use_id: randomUUID(), claimant, at: now };
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
 * @returns whether it is theirs: of one claimant, who came unknown and signed in at the same time, it is the first user's
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

/** Takes away what reservations are over, and gives back the uses of those that a crash kept from being recorded. */
export async function settleReservations({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(Date.now() - RESERVED_MS);
  const codes = await accessCodes(db)
    .find({ 'reservations.at': { $lt: before } })
    .toArray();
  for (const { _id, reservations = [] } of codes)
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
}
