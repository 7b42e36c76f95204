import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { ProximityService } from './proximity-service.ts';
import type { EncounterStore } from './storage/encounter-store.ts';
import type { StrangerBudget } from './storage/stranger-budget.ts';

/** Exports and erases a user's position, encounters and sightings. */
export const proximityPersonalData = (
  proximity: ProximityService,
  encounters: EncounterStore,
  strangers: StrangerBudget,
): PersonalDataHandler => ({
  name: 'proximity_events',
  async export({ _id }) {
    const rows = await encounters.of(_id);
    // Without the other user, whose personal data the encounter is, too.
    return rows.map(({ triggered_at, distance_feet, sender_user_id, ...row }) => ({
      triggered_at,
      distance_feet,
      ...(sender_user_id === _id
        ? {
            dog_ids: row.sender_dog_ids,
            answer: row.sender_answer,
            answered_at: row.sender_answer_at,
          }
        : {
            dog_ids: row.receiver_dog_ids,
            answer: row.receiver_answer,
            answered_at: row.receiver_answer_at,
          }),
    }));
  },
  async remove({ _id }) {
    await proximity.remove(_id);
    await encounters.remove(_id);
    await strangers.remove(_id);
  },
});
