import type { PersonalDataHandler } from '../personal-data.ts';
import type { Services } from '../services.ts';
import { auditLog, savedRows } from './collections.ts';

/**
 * An admin’s actions and saved views. The log outlives the account, with an id that belongs to no one (decision 150).
 */
export const adminActionData = ({ db }: Pick<Services, 'db'>): PersonalDataHandler => ({
  name: 'admin-actions',
  async export({ _id }) {
    const [actions, views] = await Promise.all([
      auditLog(db).find({ admin_user_id: _id }).sort({ at: 1 }).toArray(),
      savedRows(db).find({ admin_user_id: _id }).toArray(),
    ]);
    return [...actions, ...views];
  },
  async remove({ _id }) {
    await savedRows(db).deleteMany({ admin_user_id: _id });
  },
});
