import type { ChangeOperation } from './change-operations.ts';
import type { DocumentLimits } from './limits.ts';
import type { ObjectPlaces } from './object-places.ts';

/** What is needed of Automerge's own object of a document. */
export interface BoundedDocument {
  stats(): { numChanges: number; numOps: number; numActors: number };
  getHeads(): string[];
  /** Returns how many keys a map has. */
  length(object: string): number;
}

/** Why a document may not have some changes. Decision 37. */
export interface Excess {
  reason: 'too_deep' | 'too_large' | 'full';
  /** For the log. */
  message: string;
}

const excess = (reason: Excess['reason'], message: string): Excess => ({ reason, message });

/**
 * Checks changes that were just applied against the limits of their document; null if they may stay. It takes as long as the changes
 * are large.
 * @param changes the operations of each change
 * @param places of the objects of the document with them
 * @param core the document with them
 * @param bytes the uncompressed size with them
 * @param headsBefore how many heads it had without them
 * @throws when they aren't changes of the document
 */
export function documentExcess(
  changes: readonly (readonly ChangeOperation[])[],
  {
    places,
    core,
    limits,
    bytes,
    headsBefore,
  }: {
    places: ObjectPlaces;
    core: BoundedDocument;
    limits: DocumentLimits;
    bytes: number;
    headsBefore: number;
  },
): Excess | null {
  const { numOps, numChanges, numActors } = core.stats();
  if (numOps > limits.operations) return excess('full', 'too many operations');
  if (numChanges > limits.changes) return excess('full', 'too many changes');
  if (numActors > limits.actors) return excess('full', 'too many actors');
  if (bytes > limits.bytes) return excess('full', 'too many bytes');
  if (core.getHeads().length > Math.max(limits.heads, headsBefore))
    return excess('too_large', 'too many heads');
  if (changes.some(({ length }) => length > limits.operationsPerChange))
    return excess('too_large', 'too many operations in a change');
  const deepest = limits.keys.length - 1;
  const grown = new Set<string>();
  for (const operations of changes) {
    places.add(operations);
    for (const { id, object, makes, setsKey } of operations) {
      const { depth, type } = places.of(makes ? id : object);
      // A text may stand in place of a value.
      if (depth > deepest + (type === 'text' ? 1 : 0)) return excess('too_deep', 'too deep');
      if (setsKey) grown.add(object);
    }
  }
  for (const object of grown) {
    const most = limits.keys[places.of(object).depth] ?? 0;
    // Counting the keys takes longer than knowing that there are not as many operations.
    if (numOps > most && core.length(object) > most) return excess('full', 'too many keys');
  }
  return null;
}
