import { useEffect, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { createLocation, SIMILAR_LOCATION } from '#shared/locations/contract.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import type { Outcome } from '../../../platform/sync/outbox/outbox.ts';
import { UNDECIDED_PLACES, undecidedChanges } from '../undecided-places.ts';

const undecided = z.object({
  body: createLocation.body!,
  /** IDs of similar places. */
  candidates: z.array(z.string()),
});
/** A new place that resembles existing ones; its owner has to decide. */
export type Undecided = z.infer<typeof undecided>;

const lists = new Map<string, readonly Undecided[]>();

function listOf(userId: string): readonly Undecided[] {
  let list = lists.get(userId);
  if (!list)
    lists.set(userId, (list = readCache(z.array(undecided), userId, UNDECIDED_PLACES) ?? []));
  return list;
}

/** Adds what another tab, or the restored changes of an ended session, stored after the list was read. */
function readAgain(userId: string): void {
  const stored = readCache(z.array(undecided), userId, UNDECIDED_PLACES);
  if (!stored || isSame(stored, listOf(userId))) return;
  lists.set(userId, stored);
  undecidedChanges.notify();
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function setList(userId: string, change: (list: readonly Undecided[]) => Undecided[]): void {
  readAgain(userId);
  const list = change(listOf(userId));
  lists.set(userId, list);
  writeCache(userId, UNDECIDED_PLACES, list.length > 0 ? list : null);
  undecidedChanges.notify();
}

/**
 * Stores a new place that the server rejected as similar to existing ones, for its owner to decide.
 * @returns whether that was the reason
 */
export function savePendingDuplicate(userId: string, { call, refusal }: Outcome): boolean {
  if (call.name !== 'locations.create' || refusal?.code !== SIMILAR_LOCATION) return false;
  const candidates = (refusal.fields['candidates'] ?? '').split(' ').filter(Boolean);
  const body = undecided.shape.body.parse(call.input.body);
  setList(userId, (list) => [...list, { body, candidates }]);
  return true;
}

/** Returns the first undecided place, and how to settle it. */
export function usePendingDuplicate(userId: string): {
  first: Undecided | null;
  settle: () => void;
} {
  const documents = useDocuments();
  // Opening the database restores what an ended session left, maybe after the list was read.
  useEffect(() => void documents?.database.then(() => readAgain(userId)), [documents, userId]);
  const [first = null] = useSyncExternalStore(undecidedChanges.subscribe, () => listOf(userId));
  const settle = () => setList(userId, (list) => list.filter((each) => !isSame(each, first)));
  return { first, settle };
}
