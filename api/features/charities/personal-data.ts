import {
  pick,
  writtenBeforeDeletion,
  type PersonalDataHandler,
} from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { charityWords, charities, charityDonations } from './collections.ts';

/** The user's visits of donation pages and suggestions, and charities with the user as contact. */
export const charityData = ({ db }: Pick<Services, 'db'>): PersonalDataHandler => ({
  name: 'charities',
  async export({ _id }) {
    const records = await charityDonations(db)
      .find({ user_id: _id })
      .sort({ created_at: 1 })
      .toArray();
    const given = await charities(db)
      .find({ _id: { $in: records.map(({ charity_id }) => charity_id) } })
      .toArray();
    const names = new Map(given.map(({ _id: id, charity_name }) => [id, charity_name]));
    const suggested = await charities(db).find({ suggested_by_user_id: _id }).toArray();
    return {
      donations: records.map(({ charity_id, created_at }) => ({
        charity: names.get(charity_id) ?? null,
        created_at,
      })),
      suggestions: suggested.map((row) =>
        pick(row, ['charity_name', 'description', 'payment_link', 'created_at']),
      ),
    };
  },
  async remove(user) {
    const { _id, email } = user;
    await charityDonations(db).updateMany({ user_id: _id }, { $set: { user_id: null } });
    await charities(db).updateMany(
      { suggested_by_user_id: _id },
      { $set: { suggested_by_user_id: null } },
    );
    for await (const row of charities(db).find({
      contact_email: email,
      created_at: writtenBeforeDeletion(user),
    })) {
      const $set = { contact_email: null, contact_name: null, phone: null };
      await charities(db).updateOne(
        { _id: row._id },
        { $set: { ...$set, ...charityWords({ ...row, ...$set }) } },
      );
    }
  },
});
