import { formatDate } from '#shared/dates.ts';
import type { PushComposers } from '../../platform/push/compose.ts';
import { findUser } from '../../platform/session/collections.ts';

/** The text of an access that ends. */
export const accessPushes: PushComposers = {
  async access({ db, env }, { subject, user_id }) {
    const user = await findUser(db, user_id);
    // Renewed or revoked in the meantime.
    if (!user?.access_expires_at || user.access_expires_at.toISOString() !== subject) return null;
    return {
      title: `Your access ends on ${formatDate(subject)}`,
      body: `Renew it in ${env.PRODUCT_NAME} with a code or a donation.`,
      path: '/home?open=renew-access',
    };
  },
};
