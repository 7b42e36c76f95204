import type { Db } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { type TakenSlot, adSlots as slotRows } from './collections.ts';

/** The times of each placement; one ad at a time. */
export interface Slots {
  /**
   * Reserves a time for a payment until its result is known, unless another ad has the time. Replaces the ad's earlier
   * reservation in this placement.
   * @returns whether the ad has the time
   */
  reserve(placement: Placement, slot: Omit<TakenSlot, 'until'>, now: Date): Promise<boolean>;
  /**
   * Makes an ad's reservation permanent, even if it expired: as long as it is stored, no other ad has taken the time.
   * @returns whether the ad has the time
   */
  confirm(ad: number): Promise<boolean>;
  /** Makes a payment's reservation expire. */
  expire(payment: string, until: Date): Promise<void>;
  /** Frees an ad's time. */
  release(ad: number): Promise<void>;
  /** The taken times from then on, in order. @param ad whose own time is left out */
  takenFrom(placement: Placement, from: Date, now: Date, ad: number | null): Promise<TakenSlot[]>;
}

const isReserved = (slot: TakenSlot, now: Date) => slot.until === null || slot.until > now;

/** The first time from `wanted` on that is free for this long. @param taken in order */
export function firstFree(taken: readonly TakenSlot[], wanted: Date, lengthMs: number): Date {
  let start = wanted;
  for (const slot of taken)
    if (slot.end > start && slot.start.getTime() < start.getTime() + lengthMs) start = slot.end;
  return start;
}

/** One row for each placement, updated atomically, so that no two ads get the same time (decision 160). */
export function adSlots(db: Db): Slots {
  return {
    async reserve(placement, slot, now) {
      await insertIfAbsent(slotRows(db), { _id: placement, taken: [] });
      const { ad, start, end } = slot;
      const reserved = [{ until: null }, { until: { $gt: now } }];
      const others = { ad: { $ne: ad }, start: { $lt: end }, end: { $gt: start }, $or: reserved };
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
        { $set: { 'taken.$[slot].until': until, 'taken.$[slot].payment': null } },
        { arrayFilters: [{ 'slot.payment': payment }] },
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
