import type { Db } from 'mongodb';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import { friendLinks } from './collections.ts';

/** The user’s friend link. */
export const friendLinkData = (db: Db): PersonalDataHandler => ({
  name: 'friend-link',
  async export({ _id }) {
    const rows = await friendLinks(db).find({ _id }).toArray();
    return rows.map(({ token, created_at }) => ({ token, created_at }));
  },
  async remove({ _id }) {
    await friendLinks(db).deleteOne({ _id });
  },
});
