import type { Holding } from '../personal-data.ts';
import type { Lookout } from './lookout.ts';
import type { Meetings } from './meetings.ts';
import type { StrangerBudget } from './stranger-budget.ts';

/** Where somebody is, and whom they met. */
export const heldProximity = (
  lookout: Lookout,
  meetings: Meetings,
  strangers: StrangerBudget,
): Holding => ({
  name: 'proximity_events',
  async export({ _id }) {
    const rows = await meetings.of(_id);
    // Whom one met is the other one's, too: when and how near is enough.
    return rows.map(({ triggered_at, distance_feet }) => ({ triggered_at, distance_feet }));
  },
  async remove({ _id }) {
    await lookout.drop(_id);
    await meetings.forget(_id);
    await strangers.forget(_id);
  },
});
