import { useMemo } from 'react';
import { toast } from 'sonner';
import { visitDay, VISIT_METERS } from '#shared/locations/rules.ts';
import { listVisits } from '#shared/locations/visit-contract.ts';
import { metersBetween, type Place } from '#shared/place.ts';
import { call } from '../../../platform/http/api.ts';
import { useCachedQuery } from '../../../platform/session/use-cached-query.ts';
import type { WaitingCall } from '../../../platform/sync/outbox/outbox.ts';
import { useNow } from '../../../platform/use-now.ts';
import { useUnits } from '../../settings/use-units.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { usePlaceActions } from '../place/use-place-actions.ts';
import { useWaitingForPlaces, VISITS } from '../use-pending-places.ts';
import { visitsWithWaiting } from './optimistic-visits.ts';

/** Returns the places where the user was on a day, with unsent visits and removals applied in their order. */
export function visitedOn(
  day: string,
  visits: Parameters<typeof visitsWithWaiting>[0],
  waiting: readonly WaitingCall[],
): Set<string> {
  const places = new Set(
    visitsWithWaiting(visits, waiting)
      .filter(({ visit_date }) => visitDay(new Date(visit_date)) === day)
      .map(({ location_id }) => location_id),
  );
  for (const { name, input, at } of waiting) {
    if (visitDay(new Date(at)) !== day) continue;
    if (name === 'locations.visit') places.add(input.body.location_id);
    if (name === 'locations.undoVisit') places.delete(input.params.id);
  }
  return places;
}

/** Records visits, which count once a day and near the place, and takes them back. */
export function useVisitedToday(locate: () => Promise<Place | null>) {
  const asked = useCachedQuery(VISITS, listVisits.answer, () => call(listVisits));
  const waiting = useWaitingForPlaces();
  const actions = usePlaceActions();
  const units = useUnits();
  const today = visitDay(new Date(useNow()));
  const visits = asked.data?.visits;
  const visited = useMemo(() => visitedOn(today, visits ?? [], waiting), [today, visits, waiting]);

  const undo = async (place: ShownPlace) => {
    await actions.undoVisit(place);
    toast(`Visit to ${place.name} removed`);
  };

  return {
    visited,
    undo,
    /** @returns whether it was recorded; if not, it was said why */
    async visit(place: ShownPlace, here: Place | null): Promise<boolean> {
      const at = here ?? (await locate());
      if (!at) return false;
      const away = metersBetween(place, at);
      if (away > VISIT_METERS) {
        toast(`You can record a visit when you’re there. It’s ${units.walked(away)} away.`);
        return false;
      }
      const answered = await actions.visit(place, at);
      if (answered === 'refused') return false;
      const isDone = answered === 'done';
      const say = isDone ? toast.success : toast;
      say(isDone ? 'Visit recorded' : 'Visit saved on this device', {
        description: isDone ? undefined : 'We’ll send it as soon as we can.',
        action: {
          label: 'Undo',
          onClick: () =>
            void undo(place).catch((error: unknown) =>
              console.error('Failed to remove the visit', error),
            ),
        },
      });
      return true;
    },
  };
}
