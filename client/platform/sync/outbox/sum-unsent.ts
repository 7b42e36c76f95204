import type { UnsentItems } from '../../features.ts';
import type { Unsent } from '../state/sync-status-text.ts';

export type UnsentLists = readonly (readonly [
  kind: UnsentItems['kind'],
  list: ReturnType<UnsentItems['of']>,
])[];

export const NO_ITEMS = { pictures: 0, sounds: 0, drafts: 0, actions: 0 };

/** Returns what is unsent in lists that a device keeps beside its documents. */
export function sumUnsent(lists: UnsentLists): Unsent {
  const [refused, kept] = [{ ...NO_ITEMS }, { ...NO_ITEMS }];
  const unsent = { ...NO_ITEMS, refused, kept, isUnread: false };
  for (const [kind, list] of lists) {
    const [waiting, ofUser] = [list.getUnsentCount?.(), list.getKeptCount?.()];
    unsent.isUnread ||= waiting === null || ofUser === null;
    unsent[kind] += waiting ?? 0;
    unsent.kept[kind] += ofUser ?? 0;
    unsent.refused[kind] += list.getRefusedCount?.() ?? 0;
  }
  return unsent;
}
