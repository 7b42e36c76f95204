import type { Db } from 'mongodb';
import type { z } from 'zod';
import type { createLocationAd, createTimedAd } from '#shared/advertisers/contract.ts';
import { endOfSlot, LISTING_CENTS, timedAdCents } from '#shared/advertisers/rules.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { DAY_MS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { publicOwner } from '../../platform/files/public-owner.ts';
import type { UploadedFile } from '../../platform/http/upload.ts';
import type { Services } from '../../platform/services.ts';
import { uncounted } from '../ads/ad-counters.ts';
import { nextBookingId } from '../ads/bookings.ts';
import {
  newListingId,
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../ads/collections.ts';
import { adPayments, advertisers } from './collections.ts';
import { slotTaken } from './purchases.ts';
import { firstFree, type Slots } from './slots.ts';

type Body<E extends { body?: z.ZodType }> = z.output<NonNullable<E['body']>>;
interface Flagged {
  /** Whether a moderation rule flagged its texts. */
  is_flagged: boolean;
}
export type TimedFields = Omit<Body<typeof createTimedAd>, 'advertiser_id' | 'advertisement_id'> &
  Flagged;
export type LocalFields = Omit<
  Body<typeof createLocationAd>,
  'advertiser_id' | 'advertisement_id'
> &
  Flagged;

const UNPAID_MS = 30 * DAY_MS;
const unpaid = { payment_status: { $in: ['pending' as const, 'failed' as const] } };

const changedMeanwhile = () =>
  new HttpError(409, 'This ad is already paid for or being paid for, so it can’t be changed here');
const notFound = () => new HttpError(404, 'Advertisement not found');

/** Creates and changes ads that are not paid yet. */
export function createAdDrafts(services: Pick<Services, 'db' | 'images'>, slots: Slots) {
  const { db, images } = services;

  async function storeImage(
    advertiserId: string,
    image: UploadedFile | null,
  ): Promise<string | null> {
    return image && images.put(image.path, publicOwner(`advertiser:${advertiserId}`));
  }

  /** Only payments reserve a time (decision 160). @throws HttpError 409 with the next free time */
  async function refuseTaken(
    ad: number,
    row: Pick<BookingRow, 'placement' | 'scheduled_start_at' | 'scheduled_end_at'>,
  ): Promise<void> {
    const { scheduled_start_at: start, scheduled_end_at: end } = row;
    const taken = await slots.takenFrom(row.placement, start, new Date(), ad);
    const next = firstFree(taken, start, end.getTime() - start.getTime());
    if (next.getTime() !== start.getTime()) throw slotTaken(next);
  }

  return {
    /**
     * Creates or changes a timed ad.
     * @param which.whose advertisers whose ads may be changed; there are several after a corrected email
     * @param which.request identifies the request; the same when it is repeated
     * @throws HttpError 409 when the time is taken, 404 for another advertiser's ad
     */
    async saveTimed(
      advertiserId: string,
      { scheduled_start_at, ...fields }: TimedFields,
      image: UploadedFile | null,
      { id, whose, request }: { id: number | undefined; whose: string[]; request: string },
    ): Promise<BookingRow> {
      const start = new Date(scheduled_start_at);
      const content = {
        ...fields,
        scheduled_start_at: start,
        scheduled_end_at: endOfSlot(start, fields.duration_hours),
        cost_cents: timedAdCents(fields.duration_hours),
      };
      if (id) {
        const before = await advertisementBookings(db).findOne({
          _id: id,
          advertiser_id: { $in: whose },
        });
        if (!before) throw notFound();
        await refuseTaken(id, content);
        const image_key = await storeImage(advertiserId, image);
        return change(db, id, { ...content, advertiser_id: advertiserId, image_key });
      }
      const row = await insert(db, {
        _id: await nextBookingId(db),
        advertiser_id: advertiserId,
        ...content,
        image_key: await storeImage(advertiserId, image),
        payment_status: 'pending',
        cancelled_at: null,
        created_at: new Date(),
        request,
        ...uncounted(),
      });
      try {
        await refuseTaken(row._id, row);
      } catch (error) {
        await advertisementBookings(db).deleteOne({
          _id: row._id,
          paying: { $in: [null] },
          ...unpaid,
        });
        throw error;
      }
      return row;
    },

    /** Creates or changes a business listing. @throws HttpError 404, 409 */
    async saveLocal(
      advertiserId: string,
      { latitude, longitude, ...fields }: LocalFields,
      image: UploadedFile | null,
      { id, whose, freshId }: { id: string | undefined; whose: string[]; freshId: string },
    ): Promise<ListingRow> {
      const image_key = await storeImage(advertiserId, image);
      const content = {
        ...fields,
        place: {
          type: 'Point' as const,
          coordinates: [longitude, latitude] as [number, number],
        },
        image_key,
        monthly_cost_cents: LISTING_CENTS,
      };
      if (id) {
        const which = { _id: id, advertiser_id: { $in: whose } };
        const changed = await businessListings(db).findOneAndUpdate(
          { ...which, ...unpaid },
          { $set: { ...content, advertiser_id: advertiserId } },
          { returnDocument: 'after' },
        );
        if (changed) return changed;
        throw (await businessListings(db).findOne(which)) ? changedMeanwhile() : notFound();
      }
      const row: ListingRow = {
        _id: newListingId(freshId),
        advertiser_id: advertiserId,
        ...content,
        payment_status: 'pending',
        subscription_start_date: null,
        subscription_end_date: null,
        paused_at: null,
        paid: [],
        refunded_payments: [],
        created_at: new Date(),
        ...uncounted(),
      };
      await insertIfAbsent(businessListings(db), row);
      return row;
    },

    /** Deletes ads that were unpaid for a month, and their advertisers if they have no other ads. */
    async runJob(): Promise<void> {
      const before = new Date(Date.now() - UNPAID_MS);
      const old = { created_at: { $lt: before } };
      const open = await adPayments(db).distinct('advertisement_id', {
        payment_status: 'pending',
        submitted_at: { $ne: null },
      });
      const numbers = open.filter((id) => typeof id === 'number');
      const texts = open.filter((id) => typeof id === 'string');
      await advertisementBookings(db).deleteMany({ ...unpaid, ...old, _id: { $nin: numbers } });
      await businessListings(db).deleteMany({ ...unpaid, ...old, _id: { $nin: texts } });
      for await (const { _id } of advertisers(db).find({ updated_at: { $lt: before } })) {
        const theirs = { advertiser_id: _id };
        const has =
          (await advertisementBookings(db).findOne(theirs)) ??
          (await businessListings(db).findOne(theirs));
        if (!has) await advertisers(db).deleteOne({ _id, updated_at: { $lt: before } });
      }
    },
  };
}

/** @returns the stored row; for a repeated request, the row of the first one */
async function insert(db: Db, row: BookingRow): Promise<BookingRow> {
  try {
    await advertisementBookings(db).insertOne(row);
    return row;
  } catch (error) {
    const { request } = row;
    const first =
      isDuplicate(error) && request ? await advertisementBookings(db).findOne({ request }) : null;
    if (!first) throw error;
    return first;
  }
}

async function change(db: Db, _id: number, content: Partial<BookingRow>): Promise<BookingRow> {
  const changed = await advertisementBookings(db).findOneAndUpdate(
    { _id, cancelled_at: null, paying: { $in: [null] }, ...unpaid },
    { $set: content },
    { returnDocument: 'after' },
  );
  if (!changed) throw changedMeanwhile();
  return changed;
}
