import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { PushComposers } from '../../platform/push/compose.ts';
import { cards } from '../profile/collections.ts';
import { positions } from './collections.ts';

/** The text of a walk whose reports ended. */
export const walkPushes: PushComposers = {
  async walk({ db, env }, { subject, user_id }) {
    const silentSince = Number(subject);
    const row = await positions(db).findOne({ _id: user_id });
    if (row && row.at.getTime() > silentSince) return null;
    // A position that was removed before it was stale: the walk was ended, in the app or by a sign-out.
    if (!row && Date.now() - silentSince < STALE_SECONDS * 1000) return null;
    if (!row && !(await cards(db).findOne({ _id: user_id }))?.is_location_sharing_enabled)
      return null;
    return {
      title: env.PRODUCT_NAME,
      body: `Your walk is no longer protected. Open ${env.PRODUCT_NAME}.`,
      path: '/home',
      silent_since: silentSince,
    };
  },
};
