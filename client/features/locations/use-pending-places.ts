import { useEffect, useState } from 'react';
import { createLocation } from '#shared/locations/contract.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { outboxOf, type WaitingCall } from '../../platform/sync/outbox/outbox.ts';
import { useWaitingCalls } from '../../platform/sync/outbox/use-waiting-calls.ts';
import { pendingId } from './optimistic-places.ts';

/** The query of the user's visits. */
export const VISITS = 'my-visits';

/** Refetches the places. */
const refetchPlaces = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['places'] }),
    queries.invalidateQueries({ queryKey: ['place'] }),
    queries.invalidateQueries({ queryKey: [VISITS] }),
  ]);

/** Keeps the page of a new place when it gets its ID from the server. */
export function useArrival(
  chosenId: string | null,
  select: (id: string, isQuiet: boolean) => void,
): void {
  const documents = useDocuments();
  const [arrived, setArrived] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!documents) return;
    return outboxOf(documents).onOutcome(({ call, answer }) => {
      if (call.name !== 'locations.create') return;
      const made = createLocation.answer.safeParse(answer);
      if (made.success)
        setArrived((known) => new Map(known).set(pendingId(call), made.data.location.id));
    });
  }, [documents]);

  const id = chosenId === null ? undefined : arrived.get(chosenId);
  useEffect(() => {
    if (id) select(id, true);
  }, [id, select]);
}

/** Returns the calls about places whose effect isn't in the server's answer yet, in order. */
export const useWaitingForPlaces = (): WaitingCall[] => useWaitingCalls('locations', refetchPlaces);
