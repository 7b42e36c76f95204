import type { PushComposers } from '../../platform/push/compose.ts';
import { findOneTogether } from '../../platform/read-together.ts';
import { messageReports, userWarnings } from './collections.ts';

/** The texts of a sanction and of a reviewed report. */
export const moderationPushes: PushComposers = {
  // No details: others may see the lock screen.
  async moderation({ db }, { subject, user_id }) {
    const row = await findOneTogether(db, userWarnings(db), { _id: subject, user_id });
    if (!row || row.acknowledged_at) return null;
    return {
      title: 'News about your account',
      body: 'Tap to read it.',
      path: '/home?open=warning',
    };
  },

  // Whether it breaks the guidelines, but not what was done: that is not the reporter's business.
  async report({ db }, { subject, user_id }) {
    const row = await findOneTogether(db, messageReports(db), {
      _id: subject,
      reporter_user_id: user_id,
    });
    if (row?.status !== 'resolved' && row?.status !== 'dismissed') return null;
    return {
      title: 'Your report was reviewed',
      body:
        row.status === 'resolved'
          ? 'You were right: it breaks our community guidelines. Thank you for telling us.'
          : 'Thank you. We didn’t find that it breaks our guidelines.',
      path: '/home?open=activity',
    };
  },
};
