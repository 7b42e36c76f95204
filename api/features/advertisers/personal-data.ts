import { addressId } from '../../platform/mail-queue/messages.ts';
import {
  pick,
  writtenBeforeDeletion,
  type PersonalDataHandler,
} from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { advertisementBookings, businessListings } from '../ads/collections.ts';
import type { PaidAd } from './ads.ts';
import { advertisers, advertiserDashboards, advertiserEmails, adPayments } from './collections.ts';
import { eraseAdvertiser } from './retention.ts';

/** The review of an ad, and the other stored versions of its content. */
const reviewOf = ({ review, approved_content, proposed_content }: PaidAd) => ({
  review: review?.state ?? null,
  review_reason: review?.reason ?? null,
  approved_content: approved_content ?? null,
  proposed_content: proposed_content ?? null,
});

/**
 * Advertisers with the email of the user's account. Erasing leaves paid ads running and payments in the books, under the
 * company's name and without the person.
 */
export const advertiserData = ({ db }: Pick<Services, 'db'>): PersonalDataHandler => ({
  name: 'advertising',
  async export({ email }) {
    const rows = await advertisers(db).find({ email: email.toLowerCase() }).toArray();
    const theirs = { advertiser_id: { $in: rows.map(({ _id }) => _id) } };
    const [ads, listings, payments] = await Promise.all([
      advertisementBookings(db).find(theirs).toArray(),
      businessListings(db).find(theirs).toArray(),
      adPayments(db).find(theirs).toArray(),
    ]);
    return {
      companies: rows.map((row) =>
        pick(row, ['company_name', 'contact_name', 'phone', 'billing_address', 'created_at']),
      ),
      ads: ads.map((ad) => ({
        ...pick(ad, ['title', 'description', 'target_url', 'scheduled_start_at', 'cost_cents']),
        ...reviewOf(ad),
      })),
      listings: listings.map((ad) => ({
        ...pick(ad, ['business_name', 'description', 'address', 'phone', 'website_url']),
        ...reviewOf(ad),
      })),
      payments: payments.map((row) =>
        pick(row, [
          'amount_cents',
          'payment_status',
          'provider_state',
          'ip_address',
          'user_agent',
          'created_at',
        ]),
      ),
    };
  },
  async remove(user) {
    const address = user.email.toLowerCase();
    const own = { email: address, created_at: writtenBeforeDeletion(user) };
    const ids = await advertisers(db).distinct('_id', own);
    const theirs = { advertiser_id: { $in: ids } };
    if (!(await advertisers(db).findOne({ email: address, _id: { $nin: ids } })))
      await advertiserDashboards(db).deleteMany({ _id: addressId('email', address) });
    await advertiserEmails(db).updateMany(theirs, { $unset: { post: '' } });
    await adPayments(db).updateMany(theirs, { $set: { ip_address: '', user_agent: '' } });
    for await (const row of advertisers(db).find(own)) await eraseAdvertiser(db, row);
  },
});
