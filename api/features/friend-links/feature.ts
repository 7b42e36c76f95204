import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { ApiFeature, Services } from '../../platform/services.ts';
import { friendLinkIndexes, friendLinks as rows } from './collections.ts';
import { mountFriendLinks } from './routes.ts';

/** The user’s friend link. */
const friendLinkData = ({ db }: Services): PersonalDataHandler => ({
  name: 'friend-link',
  async export({ _id }) {
    const found = await rows(db).find({ _id }).toArray();
    return found.map(({ token, created_at }) => ({ token, created_at }));
  },
  async remove({ _id }) {
    await rows(db).deleteOne({ _id });
  },
});

export const friendLinks: ApiFeature = {
  indexes: friendLinkIndexes,
  personalData: [friendLinkData],
  mount: mountFriendLinks,
};
