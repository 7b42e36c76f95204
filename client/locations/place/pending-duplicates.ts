import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { createLocation, SIMILAR_LOCATION } from '#shared/locations/contract.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import type { Outcome } from '../../sync/outbox/outbox.ts';
import { Store } from '../../store.ts';

const NAME = 'undecided-places';
const undecided = z.object({
  body: createLocation.body!,
  /** Ids of places that it may be. */
  candidates: z.array(z.string()),
});
/** A place that its owner added and that looks like one which is there: they are to say which. */
export type Undecided = z.infer<typeof undecided>;

const changes = new Store();
const lists = new Map<string, readonly Undecided[]>();

function listOf(userId: string): readonly Undecided[] {
  let list = lists.get(userId);
  if (!list) lists.set(userId, (list = readCache(z.array(undecided), userId, NAME) ?? []));
  return list;
}

function setList(userId: string, list: readonly Undecided[]): void {
  lists.set(userId, list);
  writeCache(userId, NAME, list.length > 0 ? list : null);
  changes.notify();
}

/**
 * Keeps what was typed when the server says that such a place is there already, for its owner to decide.
 * @returns whether it said so
 */
export function savePendingDuplicate(userId: string, { call, refusal }: Outcome): boolean {
  if (call.name !== 'locations.create' || refusal?.code !== SIMILAR_LOCATION) return false;
  const candidates = (refusal.fields['candidates'] ?? '').split(' ').filter(Boolean);
  const body = undecided.shape.body.parse(call.input.body);
  setList(userId, [...listOf(userId), { body, candidates }]);
  return true;
}

/** The first place that is still to be decided about, and how it is done with. */
export function usePendingDuplicate(userId: string): {
  first: Undecided | null;
  settle: () => void;
} {
  const list = useSyncExternalStore(changes.subscribe, () => listOf(userId));
  return { first: list[0] ?? null, settle: () => setList(userId, listOf(userId).slice(1)) };
}
