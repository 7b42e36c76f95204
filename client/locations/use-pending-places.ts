import { useEffect, useMemo, useState } from 'react';
import { createLocation } from '#shared/locations/contract.ts';
import { queries } from '../http/query-client.ts';
import { outboxOf, type WaitingCall } from '../sync/outbox/outbox.ts';
import { useDocuments } from '../sync/documents/use-document.ts';
import { useAllWaiting } from '../sync/outbox/use-outbox.ts';
import { pendingId } from './optimistic-places.ts';

/** The query of the user's visits. */
export const VISITS = 'my-visits';

/** By then, calls sent by another tab are included in the next answer. */
const LINGERS_MS = 3_000;

const keyOf = ({ name, at }: WaitingCall) => `${name} ${at}`;
const isOfPlaces = ({ name }: WaitingCall) => name.startsWith('locations.');

/** Refetches the places. */
const refetchPlaces = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['places'] }),
    queries.invalidateQueries({ queryKey: ['place'] }),
    queries.invalidateQueries({ queryKey: [VISITS] }),
  ]);

/** Keeps a new place chosen when it gets its ID from the server. */
export function useArrival(chosenId: string | null, select: (id: string) => void): void {
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
    if (id) select(id);
  }, [id, select]);
}

/**
 * Returns the unsent calls about places in order, and those just sent, which stay until the server's answer includes them,
 * so that changes don't disappear in between.
 */
export function useWaitingForPlaces(): WaitingCall[] {
  const documents = useDocuments();
  const all = useAllWaiting();
  const [before, setBefore] = useState(all);
  const [sent, setSent] = useState<readonly WaitingCall[]>([]);

  if (before !== all) {
    const still = new Set(all.map(keyOf));
    const removed = before.filter((call) => isOfPlaces(call) && !still.has(keyOf(call)));
    setBefore(all);
    if (removed.length > 0) setSent([...sent, ...removed]);
  }

  useEffect(() => {
    if (sent.length === 0) return;
    const timer = setTimeout(() => setSent([]), LINGERS_MS);
    return () => clearTimeout(timer);
  }, [sent]);

  useEffect(() => {
    if (!documents) return;
    return outboxOf(documents).onOutcome(({ call, refusal }) => {
      if (!isOfPlaces(call)) return;
      const drop = () => setSent((calls) => calls.filter((each) => keyOf(each) !== keyOf(call)));
      if (refusal) drop();
      void refetchPlaces().then(drop, drop);
    });
  }, [documents]);

  return useMemo(() => [...sent, ...all.filter(isOfPlaces)], [sent, all]);
}
