import { isSevere } from '#shared/alerts/rules.ts';
import { previewOf } from '#shared/chat/rules.ts';
import { PUSH_TEXT_MAX, type PushComposers } from '../../platform/push/compose.ts';
import { acknowledgements } from './collections.ts';
import { acknowledgementId, alertOf, eventIdOf, present } from './store.ts';

/** The text of a severe alert. */
export const alertPushes: PushComposers = {
  async alert({ db }, { subject, user_id }) {
    const row = await alertOf(db, subject);
    if (!row || !isSevere(row)) return null;
    const acknowledgement = await acknowledgements(db).findOne({
      _id: acknowledgementId(user_id, eventIdOf(row)),
    });
    if (present(row, user_id, acknowledgement ?? undefined).is_acknowledged) return null;
    return { title: row.title, body: previewOf(row.description, PUSH_TEXT_MAX), path: '/home' };
  },
};
