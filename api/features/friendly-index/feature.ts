import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { ApiFeature, Services } from '../../platform/services.ts';
import { friendlyIndexIndexes, acquaintances } from './collections.ts';
import { mountFriendlyIndex } from './routes.ts';

/**
 * The days on which the user met others. Not exported: the export already contains the encounters, and the rows also
 * belong to the other users.
 */
const acquaintanceData = ({ db }: Services): PersonalDataHandler => ({
  name: 'acquaintances',
  async remove({ _id }) {
    await acquaintances(db).deleteMany({ users: _id });
  },
});

export const friendlyIndex: ApiFeature = {
  indexes: friendlyIndexIndexes,
  personalData: [acquaintanceData],
  mount: mountFriendlyIndex,
};
