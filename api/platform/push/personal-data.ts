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
  },
});

/** What the user was told. Not what it was about, which may be other users' data: the user's own is in the other exports. */
export const activityData = (db: Db): PersonalDataHandler => ({
  name: 'activity',
  async export(user) {
    const rows = await activities(db).find({ user_id: user._id }).sort({ at: 1 }).toArray();
    return rows.map(({ topic, at, is_read }) => ({ topic, at, is_read }));
  },
  async remove(user) {
    await activities(db).deleteMany({ user_id: user._id });
  },
});
