import type { OwnVisit } from '#shared/locations/visit-contract.ts';
import type { WaitingCall } from '../../../platform/sync/outbox/outbox.ts';

/** A visit with unsent changes applied. */
export interface ShownVisit extends OwnVisit {
  isWaiting: boolean;
}

/** Applies unsent changes of notes and removals to the user's visits. */
export function visitsWithWaiting(
  visits: readonly OwnVisit[],
  waiting: readonly WaitingCall[],
): ShownVisit[] {
  let shown = visits.map((visit): ShownVisit => ({ ...visit, isWaiting: false }));
  for (const call of waiting) {
    if (call.name === 'locations.editVisit') {
      const { params, body } = call.input;
      shown = shown.map((visit) =>
        visit.id === params.id ? { ...visit, notes: body.notes || null, isWaiting: true } : visit,
      );
    } else if (call.name === 'locations.removeVisit') {
      const { id } = call.input.params;
      shown = shown.filter((visit) => visit.id !== id);
    }
  }
  return shown;
}
