import { useEffect, useMemo, useState } from 'react';
import { useDocuments } from '../documents/use-document.ts';
import type { CallName } from './outbox-calls.ts';
import { outboxOf, type WaitingCall } from './outbox.ts';
import { useAllWaiting } from './use-outbox.ts';

/** By then, calls sent by another tab are included in the next answer. */
const LINGERS_MS = 3_000;

type Feature = CallName extends `${infer Name}.${string}` ? Name : never;

const keyOf = ({ name, at }: WaitingCall) => `${name} ${at}`;

/**
 * Returns the unsent calls of a feature in order, and those just sent, which stay until the server's answer includes them,
 * so that changes don't disappear in between.
 * @param feature the beginning of the calls' names
 * @param refetch reads the server's answer again; the same function at each render
 */
export function useWaitingCalls(feature: Feature, refetch: () => Promise<unknown>): WaitingCall[] {
  const documents = useDocuments();
  const all = useAllWaiting();
  const [before, setBefore] = useState(all);
  const [sent, setSent] = useState<readonly WaitingCall[]>([]);
  const isOfFeature = ({ name }: WaitingCall) => name.startsWith(`${feature}.`);

  if (before !== all) {
    const still = new Set(all.map(keyOf));
    const removed = before.filter((call) => isOfFeature(call) && !still.has(keyOf(call)));
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
      if (!call.name.startsWith(`${feature}.`)) return;
      const drop = () => setSent((calls) => calls.filter((each) => keyOf(each) !== keyOf(call)));
      if (refusal) drop();
      void refetch().then(drop, drop);
    });
  }, [documents, feature, refetch]);

  return useMemo(
    () => [...sent, ...all.filter(({ name }) => name.startsWith(`${feature}.`))],
    [sent, all, feature],
  );
}
