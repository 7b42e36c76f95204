import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { namesOf } from '../profile/names.ts';
import { pairs } from '../relationships/collections.ts';
import { blockBy, storedCardOf, otherOf, viewOf } from '../relationships/relationship.ts';
import { takeOutOf } from './relationship-store.ts';

/** The user’s friends, requests, and blocks. */
export const relationshipData = (services: Services): PersonalDataHandler => ({
  name: 'friends',
  async export({ _id }) {
    const rows = await pairs(services.db).find({ users: _id }).sort({ since: 1 }).toArray();
    const seen = rows.filter((row) => viewOf(row, _id).relationship !== 'none');
    const names = await namesOf(
      services.db,
      seen.map((row) => otherOf(row, _id)),
    );
    return seen.map((row) => {
      const { relationship, at, message } = viewOf(row, _id);
      const name =
        blockBy(row, _id)?.blocked_user_name ??
        storedCardOf(row, _id)?.display_name ??
        names.get(otherOf(row, _id)) ??
        '';
      return { name, relationship, since: at, message };
    });
  },
  remove: ({ _id }) => takeOutOf(services, _id),
});
