import { next as A } from '@automerge/automerge';
import { documentLimits, type DocumentLimits } from '#shared/sync/limits.ts';
import { nestMaps, repeatedOperations } from '../../tests/sync/raw-device.ts';

/** Ways to exceed the limits of a document. */
export const EXCESSES = ['deep', 'wide', 'long', 'heads', 'actors', 'repeated'] as const;

/** The documents that a member has and writes, each with a map to fill. */
export const WRITTEN = { account: 'settings', card: 'dogs' } as const;
export type Written = keyof typeof WRITTEN;
/** A document that a member has, with maps. */
export type WrittenDocument = Record<string, Record<string, unknown>>;

/** At full size, each exceeds its limit several times. */
const FULL_DEPTH = 2_000;
const FACTOR = 2;

type Edit = (map: Record<string, unknown>) => void;

/**
 * Returns changes of a document that approach or exceed its limits.
 * @param size from 0 to 1
 */
export function excessiveChanges(
  doc: A.Doc<WrittenDocument>,
  of: Written,
  kind: (typeof EXCESSES)[number],
  size: number,
): { heads: string[]; changes: Uint8Array[] } {
  const limits = documentLimits[of];
  const count = (most: number) => 1 + Math.round(size * FACTOR * most);
  const edited = (edits: Edit[]) => {
    const made = edits.map((edit) =>
      A.change(A.clone(doc), { time: 0 }, (draft) => edit(draft[WRITTEN[of]]!)),
    );
    return {
      heads: made.flatMap((each) => A.getHeads(each)),
      changes: made.map((each) => A.getLastLocalChange(each)!),
    };
  };
  if (kind === 'repeated')
    return { heads: A.getHeads(doc), changes: [repeatedOperations(count(limits.operations))] };
  if (kind === 'deep') {
    const { core, changes } = nestMaps(A.save(doc), 1 + Math.round(size * FULL_DEPTH), WRITTEN[of]);
    const heads = core.getHeads();
    core.free();
    return { heads, changes };
  }
  if (kind === 'wide')
    return edited([
      (map) => {
        for (let n = count(limits.operationsPerChange); n > 0; n--) map[`w${n}`] = n;
      },
    ]);
  if (kind === 'long')
    return edited([
      (map) => {
        map['long'] = new A.ImmutableString('a'.repeat(count(limits.bytes)));
      },
    ]);
  // Each copy of the document has an actor of its own.
  const branches = kind === 'heads' ? count(limits.heads) : count(limits.heads / FACTOR);
  return edited(
    Array.from(
      { length: branches },
      (_, n): Edit =>
        (map) =>
          void (map['n'] = n),
    ),
  );
}

/** Returns what of a stored document exceeds its limits; null if nothing does. */
export function excessIn(doc: A.Doc<unknown>, of: Written): string | null {
  const limits = documentLimits[of];
  const { numOps, numChanges, numActors } = A.getBackend(doc).stats();
  if (numOps > limits.operations) return `${numOps} operations`;
  if (numChanges > limits.changes) return `${numChanges} changes`;
  if (numActors > limits.actors) return `${numActors} actors`;
  const { length } = A.getBackend(doc).saveNoCompress();
  if (length > limits.bytes) return `${length} bytes`;
  const heads = A.getHeads(doc).length;
  if (heads > limits.heads) return `${heads} heads`;
  return excessOfObject(doc, 0, limits);
}

function excessOfObject(value: unknown, depth: number, limits: DocumentLimits): string | null {
  if (typeof value !== 'object' || value === null || A.isImmutableString(value)) return null;
  const most = limits.keys[depth];
  if (most === undefined) return `an object at depth ${depth}`;
  const entries = Object.values(value);
  if (entries.length > most) return `${entries.length} keys at depth ${depth}`;
  for (const entry of entries) {
    const excess = excessOfObject(entry, depth + 1, limits);
    if (excess) return excess;
  }
  return null;
}
