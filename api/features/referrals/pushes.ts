import type { PushComposers } from '../../platform/push/compose.ts';
import { findOneTogether } from '../../platform/read-together.ts';
import { accessCodeUses } from '../access-gate/collections.ts';
import { noted } from '../relationships/lookalike-names.ts';
import { namesSeenBy } from '../relationships/names-seen-by.ts';
import { referrals } from './collections.ts';

/** The text of a used invitation. */
export const referralPushes: PushComposers = {
  async invitation({ db }, { subject, user_id }, settings) {
    const referral = await findOneTogether(db, referrals(db), {
      _id: subject,
      referrer_user_id: user_id,
    });
    const use =
      referral?.use_id && (await findOneTogether(db, accessCodeUses(db), { _id: referral.use_id }));
    if (!use || !use.user_id) return null;
    const name = (await namesSeenBy(db, user_id, [use.user_id])).get(use.user_id);
    if (name === undefined) return null;
    const title = 'Your invitation was used';
    const path = '/home?open=refer-friends';
    if ((await settings).push_preview === 'nothing') return { title, body: '', path };
    const who = await noted(db, user_id, use.user_id, name);
    return { title, body: `${who} joined with your invitation.`, path };
  },
};
