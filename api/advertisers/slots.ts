import type { Db } from 'mongodb';
import type { SoldPlacement } from '#shared/advertisers/contract.ts';
import { isDuplicate } from '../database.ts';
import { type TakenSlot, adSlots as slotRows } from './collections.ts';

/** The times of each placement: one ad at a time. */
export interface Slots {
  /**
   * Holds a time for a payment of an ad, in the place of what the ad had in this placement, unless another ad has it. It is
   * held until the payment's outcome is known.
   * @returns whether it is the ad's now
   */
  hold(placement: SoldPlacement, slot: Omit<TakenSlot, 'until'>, now: Date): Promise<boolean>;
  /**
   * What is kept for an ad is its for good, also when the time for which it was kept is over: as long as it is there
   * nobody else took it. @returns whether it is
   */
  confirm(ad: number): Promise<boolean>;
  /** What a payment held is held until then only. */
  expire(payment: string, until: Date): Promise<void>;
  /** Gives free what an ad has. */
  release(ad: number): Promise<void>;
  /** What others have from then on, in order. @param ad whose own does not count */
  takenFrom(
    placement: SoldPlacement,
    from: Date,
    now: Date,
    ad: number | null,
  ): Promise<TakenSlot[]>;
}

const isReserved = (slot: TakenSlot, now: Date) => slot.until === null || slot.until > now;

/**
 * The first time, from the wanted one on, at which nothing is taken for so long.
 * @param taken in order
 */
export function firstFree(taken: readonly TakenSlot[], wanted: Date, lengthMs: number): Date {
  let start = wanted;
  for (const slot of taken)
    if (slot.end > start && slot.start.getTime() < start.getTime() + lengthMs) start = slot.end;
  return start;
}

/** One row a placement, changed in one atomic step: no two ads get the same time (decision 160). */
export function adSlots(db: Db): Slots {
  async function ensure(placement: string): Promise<void> {
    try {
      const nothing = { $setOnInsert: { taken: [] } };
      await slotRows(db).updateOne({ _id: placement }, nothing, { upsert: true });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  return {
    async hold(placement, slot, now) {
      await ensure(placement);
      const { ad, start, end } = slot;
      const kept = [{ until: null }, { until: { $gt: now } }];
      const others = { ad: { $ne: ad }, start: { $lt: end }, end: { $gt: start }, $or: kept };
      const { matchedCount } = await slotRows(db).updateOne(
        { _id: placement, taken: { $not: { $elemMatch: others } } },
        [
          {
            $set: {
              taken: {
                $concatArrays: [
                  {
                    $filter: {
                      input: '$taken',
                      cond: {
                        $and: [
                          { $ne: ['$$this.ad', ad] },
                          { $gt: ['$$this.end', now] },
                          {
                            $or: [{ $eq: ['$$this.until', null] }, { $gt: ['$$this.until', now] }],
                          },
                        ],
                      },
                    },
                  },
                  [{ $literal: { ...slot, until: null } }],
                ],
              },
            },
          },
        ],
      );
      return matchedCount === 1;
    },

    async confirm(ad) {
      const { matchedCount } = await slotRows(db).updateOne(
        { 'taken.ad': ad },
        { $set: { 'taken.$[own].until': null, 'taken.$[own].payment': null } },
        { arrayFilters: [{ 'own.ad': ad }] },
      );
      return matchedCount === 1;
    },

    async expire(payment, until) {
      await slotRows(db).updateMany(
        { 'taken.payment': payment },
        { $set: { 'taken.$[kept].until': until, 'taken.$[kept].payment': null } },
        { arrayFilters: [{ 'kept.payment': payment }] },
      );
    },

    async release(ad) {
      await slotRows(db).updateMany({ 'taken.ad': ad }, { $pull: { taken: { ad } } });
    },

    async takenFrom(placement, from, now, ad) {
      const row = await slotRows(db).findOne({ _id: placement });
      return (row?.taken ?? [])
        .filter((slot) => slot.ad !== ad && slot.end > from && isReserved(slot, now))
        .toSorted((a, b) => a.start.getTime() - b.start.getTime());
    },
  };
}
