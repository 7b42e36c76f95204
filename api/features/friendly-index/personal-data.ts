import type { Db } from 'mongodb';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import { acquaintances } from './collections.ts';

/**
 * The days on which the user met others. Not exported: the export already contains the encounters, and the rows also
 * belong to the other users.
 */
export const acquaintanceData = (db: Db): PersonalDataHandler => ({
  name: 'acquaintances',
  async remove({ _id }) {
    await acquaintances(db).deleteMany({ users: _id });
  },
});
