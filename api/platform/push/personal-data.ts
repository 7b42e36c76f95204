import type { Db } from 'mongodb';
import type { PersonalDataHandler } from '../personal-data.ts';
import { activities, pushQueue, pushSubscriptions } from './collections.ts';

/** Devices that receive pushes. An export names the push services, without the secret addresses and keys. */
export const pushData = (db: Db): PersonalDataHandler => ({
  name: 'notifications',
  async export(user) {
    const rows = await pushSubscriptions(db)
      .find({ user_id: user._id })
      .sort({ created_at: 1 })
      .toArray();
    return rows.map(({ endpoint, created_at }) => ({
      push_service: new URL(endpoint).host,
      created_at,
    }));
  },
  async remove(user) {
    await pushSubscriptions(db).deleteMany({ user_id: user._id });
    await pushQueue(db).deleteMany({ 'message.user_id': user._id });
    await activities(db).deleteMany({ user_id: user._id });
  },
});
