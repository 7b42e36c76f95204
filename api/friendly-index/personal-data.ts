import type { Db } from 'mongodb';
import { acquaintances } from './collections.ts';
import type { PersonalDataHandler } from '../personal-data.ts';

/**
 * The days on which one met somebody. They are made of the meetings, which an export has already, and whom one met is
 * the other one's, too.
 */
export const acquaintanceData = (db: Db): PersonalDataHandler => ({
  name: 'acquaintances',
  async remove({ _id }) {
    await acquaintances(db).deleteMany({ users: _id });
  },
});
