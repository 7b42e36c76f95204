import { previewOf } from '#shared/chat/rules.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { PUSH_TEXT_MAX, type PushComposers } from '../../platform/push/compose.ts';
import { placeOf } from '../locations/store.ts';
import { hazards } from './collections.ts';
import { currentHazards, shownContent } from './store.ts';

/** The text of a hazard nearby. */
export const hazardPushes: PushComposers = {
  async hazard({ db }, { subject }) {
    const row = await hazards(db).findOne({ _id: subject, ...currentHazards() });
    if (!row) return null;
    const { latitude, longitude } = placeOf(row);
    return {
      title: `Nearby: ${HAZARD_NAMES[row.kind]}`,
      body: previewOf(shownContent(row).description, PUSH_TEXT_MAX),
      path: `/locations?latitude=${latitude.toFixed(3)}&longitude=${longitude.toFixed(3)}&hazard=${row._id}`,
    };
  },
};
