import { useEffect, useMemo, useState } from 'react';
import { createLocation } from '#shared/locations/contract.ts';
import { queries } from '../http/query-client.ts';
import { outboxOf, type WaitingCall } from '../sync/outbox/outbox.ts';
import { useDocuments } from '../sync/documents/use-document.ts';
import { useAllWaiting } from '../sync/outbox/use-outbox.ts';
import { pendingId } from './optimistic-places.ts';

/** What another tab has sent is in the next answer at the latest by then. */
const LINGERS_MS = 3_000;

const keyOf = ({ name, at }: WaitingCall) => `${name} ${at}`;
const isOfPlaces = ({ name }: WaitingCall) => name.startsWith('locations.');

/** Shows the server's word on places anew. */
const askAnew = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['places'] }),
    queries.invalidateQueries({ queryKey: ['place'] }),
  ]);

/** A new place that is chosen while it waits, or just before the list has it from the server, stays chosen under the id that the server gives it. */
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
 * What this device has still to send about places, first to last, and what it has just sent: that stays until the
 * server's answer has it, so that nothing comes, goes, and comes again.
 */
export function useWaitingForPlaces(): WaitingCall[] {
  const documents = useDocuments();
  const all = useAllWaiting();
  const [before, setBefore] = useState(all);
  const [sent, setSent] = useState<readonly WaitingCall[]>([]);

  if (before !== all) {
    const still = new Set(all.map(keyOf));
    const gone = before.filter((call) => isOfPlaces(call) && !still.has(keyOf(call)));
    setBefore(all);
    if (gone.length > 0) setSent([...sent, ...gone]);
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
      void askAnew().then(drop, drop);
    });
  }, [documents]);

  return useMemo(() => [...sent, ...all.filter(isOfPlaces)], [sent, all]);
}
