import type { Db } from 'mongodb';
import { advertisers, advertiserDashboards, advertiserEmails, adPayments } from './collections.ts';
import { advertisementBookings, businessListings } from '../ads/collections.ts';
import { wordsOf } from '../admin/search.ts';
import { whileTheirs, type PersonalDataHandler } from '../personal-data.ts';
import { addressId } from '../outbox/messages.ts';
import type { PaidAd } from './ads.ts';

/** The review of an ad, and the other versions of its content that are stored. */
const reviewOf = ({ review, approved_content, proposed_content }: PaidAd) => ({
  review: review?.state ?? null,
  review_reason: review?.reason ?? null,
  approved_content: approved_content ?? null,
  proposed_content: proposed_content ?? null,
});

/**
 * What somebody entered as an advertiser under the email of their account. What was paid runs to its end and stays in
 * the books, under the name of the company and without the person.
 */
export const advertiserData = (db: Db): PersonalDataHandler => ({
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
      companies: rows.map(({ company_name, contact_name, phone, billing_address, created_at }) => ({
        company_name,
        contact_name,
        phone,
        billing_address,
        created_at,
      })),
      ads: ads.map((ad) => ({
        title: ad.title,
        description: ad.description,
        target_url: ad.target_url,
        scheduled_start_at: ad.scheduled_start_at,
        cost_cents: ad.cost_cents,
        ...reviewOf(ad),
      })),
      listings: listings.map((ad) => ({
        business_name: ad.business_name,
        description: ad.description,
        address: ad.address,
        phone: ad.phone,
        website_url: ad.website_url,
        ...reviewOf(ad),
      })),
      payments: payments.map(
        ({ amount_cents, payment_status, ip_address, user_agent, created_at }) => ({
          amount_cents,
          payment_status,
          ip_address,
          user_agent,
          created_at,
        }),
      ),
    };
  },
  async remove(user) {
    const address = user.email.toLowerCase();
    const own = { email: address, created_at: whileTheirs(user) };
    const ids = await advertisers(db).distinct('_id', own);
    const theirs = { advertiser_id: { $in: ids } };
    if (!(await advertisers(db).findOne({ email: address, _id: { $nin: ids } })))
      await advertiserDashboards(db).deleteMany({ _id: addressId('email', address) });
    await advertiserEmails(db).updateMany(theirs, { $unset: { post: '' } });
    await adPayments(db).updateMany(theirs, { $set: { ip_address: '', user_agent: '' } });
    for await (const { _id, company_name } of advertisers(db).find(own))
      await advertisers(db).updateOne(
        { _id },
        {
          $set: {
            email: null,
            contact_name: '',
            phone: null,
            billing_address: null,
            words: wordsOf(company_name),
          },
          $unset: { holder: '' },
        },
      );
  },
});
