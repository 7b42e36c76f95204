import * as A from '@automerge/automerge/slim';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { documentExcess } from '#shared/sync/document-bounds.ts';
import { documentLimits } from '#shared/sync/limits.ts';
import { ObjectPlaces } from '#shared/sync/object-places.ts';
import { NO_TIME } from '../state/document-state.ts';
import { decodedOperations, historyOf } from './decoded-operations.ts';
import { NoRoomError } from './no-room-error.ts';

/** More than a named change has, but for those that a device makes at its start. */
const CHANGE_OPERATIONS = 1_000;
const CHANGE_BYTES = 64 * 1024;
/** With the longest texts, fewer operations do not come near any limit of bytes. */
const SMALL_OPERATIONS = 256;

/** The uncompressed size of a document, by its object in memory, when it had this many operations. */
const sizes = new WeakMap<object, { operations: number; bytes: number }>();

function bytesOf(doc: A.Doc<unknown>, operations: number): number {
  const backend = A.getBackend(doc);
  const known = sizes.get(backend);
  if (known && operations - known.operations < SMALL_OPERATIONS) return known.bytes;
  const { length: bytes } = backend.saveNoCompress();
  sizes.set(backend, { operations, bytes });
  return bytes;
}

/** Whether an object of a document has over half of the keys that it may have: no named change adds as many. */
function hasManyKeys(value: unknown, keys: readonly number[], depth = 0): boolean {
  const most = keys[depth];
  if (most === undefined || typeof value !== 'object' || value === null) return false;
  const values = Object.values(value);
  return values.length > most / 2 || values.some((each) => hasManyKeys(each, keys, depth + 1));
}

/** Most documents are far from every limit, so that nothing must be tried. */
function isNearLimit(doc: A.Doc<unknown>, kind: DocumentKind): boolean {
  const { keys, operations, changes, actors, bytes } = documentLimits[kind];
  const { numOps, numChanges, numActors } = A.getBackend(doc).stats();
  return (
    numOps + CHANGE_OPERATIONS > operations ||
    // Counting the keys takes longer than knowing that there are not as many operations.
    (numOps + CHANGE_OPERATIONS > Math.min(...keys) && hasManyKeys(doc, keys)) ||
    numChanges >= changes ||
    numActors >= actors ||
    (numOps > SMALL_OPERATIONS && bytesOf(doc, numOps) + CHANGE_BYTES > bytes / 2)
  );
}

/**
 * Makes sure that our server will accept a change, before it is made.
 * @throws NoRoomError when it will refuse it
 */
export function requireRoom<T>(
  doc: A.Doc<T>,
  kind: DocumentKind,
  change: (draft: T) => void,
): void {
  if (!isNearLimit(doc, kind)) return;
  const tried = A.change(A.clone(doc, { actor: A.getActorId(doc) }), NO_TIME, change);
  try {
    const made = A.getChangesSince(tried, A.getHeads(doc));
    if (made.length === 0) return;
    const core = A.getBackend(tried);
    const places = new ObjectPlaces(core, () => historyOf(tried));
    const { length: bytes } = core.saveNoCompress();
    const operations = made.map(decodedOperations);
    const limits = documentLimits[kind];
    if (
      documentExcess(operations, {
        places,
        core,
        limits,
        bytes,
        headsBefore: A.getHeads(doc).length,
      })
    )
      throw new NoRoomError();
  } finally {
    A.free(tried);
  }
}
