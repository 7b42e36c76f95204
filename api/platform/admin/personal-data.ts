import { auditLog } from './collections.ts';
import type { PersonalDataHandler } from '../personal-data.ts';
import type { Services } from '../services.ts';

/**
 * An admin’s actions. The log outlives the account, with an id that belongs to no one (decision 150).
 */
export const adminActionData = ({ db }: Pick<Services, 'db'>): PersonalDataHandler => ({
  name: 'admin-actions',
  async export({ _id }) {
    return auditLog(db).find({ admin_user_id: _id }).sort({ at: 1 }).toArray();
  },
  async remove() {},
});
