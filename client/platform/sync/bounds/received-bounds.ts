import * as A from '@automerge/automerge/slim';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import {
  readDocumentOperations,
  readOperations,
  type ChangeOperation,
} from '#shared/sync/change-operations.ts';
import { deflatedParts, eachChunk, validateChunks, type Inflate } from '#shared/sync/chunks.ts';
import { documentExcess } from '#shared/sync/document-bounds.ts';
import { documentLimits, type DocumentLimits } from '#shared/sync/limits.ts';
import { ObjectPlaces } from '#shared/sync/object-places.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import { readSyncMessage } from '#shared/sync/sync-message.ts';
import { historyOf } from './decoded-operations.ts';
import { inflateAll } from './inflate.ts';
import { ObjectDepths } from './object-depths.ts';

/** Where received documents are looked up. */
export interface DocumentsHere {
  kindOf(documentId: string): DocumentKind;
  /** Returns the document as it is on this device; null while it isn't. */
  docOf(documentId: string): A.Doc<unknown> | null;
}

type Backend = ReturnType<typeof A.getBackend>;

/** What a message adds at most. */
interface Added {
  operations: ChangeOperation[];
  changes: number;
  actors: number;
  heads: number;
  bytes: number;
}

/**
 * Checks what arrives of documents against the limits of their kinds before Automerge applies it. Otherwise, 16 kB of nested objects, which
 * a friend wrote and our server or an older one let pass, would hang this device for good. It takes as long as the message is large.
 */
export class ReceivedBounds {
  readonly #here: DocumentsHere;
  readonly #depths = new Map<string, ObjectDepths>();
  /** By document, at most. */
  readonly #bytes = new Map<string, number>();

  constructor(here: DocumentsHere) {
    this.#here = here;
  }

  /**
   * Checks a message of Automerge's sync protocol.
   * @returns null when it may be applied; a promise if parts of it must be decompressed before, which rejects with a Refusal
   * @throws Refusal when it may not
   */
  check(documentId: string, data: Uint8Array): Promise<void> | null {
    const chunks = chunksOf(data);
    if (chunks.length === 0) return null;
    const limits = limitsHere(this.#here.kindOf(documentId));
    const parts = asRefusal(() => deflatedParts(chunks));
    if (parts.length === 0) {
      this.#checkChunks(documentId, chunks, limits, NOTHING_DEFLATED);
      return null;
    }
    return this.#checkInflated(documentId, chunks, limits, parts);
  }

  async #checkInflated(
    documentId: string,
    chunks: readonly Uint8Array[],
    limits: DocumentLimits,
    parts: readonly Uint8Array[],
  ): Promise<void> {
    const inflated = await inflateAll(parts, messageBytes(limits));
    // An old browser: our server has checked it.
    if (inflated) this.#checkChunks(documentId, chunks, limits, inflated);
  }

  #checkChunks(
    documentId: string,
    chunks: readonly Uint8Array[],
    limits: DocumentLimits,
    inflated: ReadonlyMap<number, Uint8Array>,
  ): void {
    const inflate: Inflate = ({ byteOffset }) => inflated.get(byteOffset) ?? new Uint8Array();
    const { operations, changes, actors } = limits;
    const most = {
      operations,
      changes,
      actors,
      references: 2 * operations,
      bytes: messageBytes(limits),
    };
    const stats = validateChunks(chunks, most, inflate);
    if (stats.largestChange > limits.operationsPerChange)
      throw new Refusal('too_large', 'too many operations in a change');
    const added = asRefusal(() => contentOf(chunks, inflate));
    const doc = this.#here.docOf(documentId);
    const depths = this.#depths.get(documentId) ?? new ObjectDepths();
    this.#depths.set(documentId, depths);
    const history = () => (doc ? historyOf(doc) : []);
    const backend = doc && A.getBackend(doc);
    const last = limits.keys.length - 1;
    const { deepest, depthOf } = depths.look(added.operations, backend, history, last);
    if (deepest > last) throw new Refusal('too_deep', 'too deep');
    const before = this.#bytes.get(documentId) ?? backend?.saveNoCompress().length ?? 0;
    const bytes = before + stats.bytes;
    const may = mayExceed(backend, { ...stats, ...added, bytes }, limits, depthOf);
    this.#bytes.set(documentId, may ? sizeWith(backend, chunks, added, limits, history) : bytes);
  }
}

const NOTHING_DEFLATED = new Map<number, Uint8Array>();

/** What this device has not sent comes on top of what our server has. */
const OWN = 2;
/** The server's limits; of a document that devices write, the totals with what is unsent. */
function limitsHere(kind: DocumentKind): DocumentLimits {
  const limits = documentLimits[kind];
  if (!documentKinds[kind].ownerWrites) return limits;
  return {
    ...limits,
    keys: limits.keys.map((keys) => OWN * keys),
    operations: OWN * limits.operations,
    changes: OWN * limits.changes,
    actors: OWN * limits.actors,
    heads: OWN * limits.heads,
    bytes: OWN * limits.bytes,
  };
}

/** Changes may take more bytes than the document that has them. */
const messageBytes = ({ bytes }: DocumentLimits): number => 2 * bytes;

function chunksOf(data: Uint8Array): Uint8Array[] {
  return asRefusal(() => readSyncMessage(data).chunks);
}

/** What isn't in the format is invalid. */
function asRefusal<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('invalid', 'malformed');
  }
}

function contentOf(
  chunks: readonly Uint8Array[],
  inflate: Inflate,
): Pick<Added, 'operations' | 'actors' | 'heads'> {
  const operations: ChangeOperation[] = [];
  let actors = 0;
  let heads = 0;
  for (const bytes of chunks)
    eachChunk(bytes, (type, body) => {
      if (type === 'document') {
        const whole = readDocumentOperations(body, inflate);
        for (const operation of whole.operations) operations.push(operation);
        actors += whole.actors;
        heads += whole.heads;
        return;
      }
      const opened = type === 'deflated' ? inflate(body, Infinity) : body;
      for (const operation of readOperations(opened)) operations.push(operation);
      actors++;
      heads++;
    });
  return { operations, actors, heads };
}

/** Whether a document may exceed its limits with all of this, some of which it may have. */
function mayExceed(
  backend: Backend | null,
  { operations, changes, actors, heads, bytes }: Added,
  limits: DocumentLimits,
  depthOf: (object: string) => number,
): boolean {
  const { numOps = 0, numChanges = 0, numActors = 0 } = backend?.stats() ?? {};
  if (
    numOps + operations.length > limits.operations ||
    numChanges + changes > limits.changes ||
    numActors + actors > limits.actors ||
    (backend?.getHeads().length ?? 0) + heads > limits.heads ||
    bytes > limits.bytes
  )
    return true;
  const set = new Map<string, Set<string>>();
  for (const { object, key, setsKey } of operations) {
    if (!setsKey || key === null) continue;
    const keys = set.get(object);
    if (keys) keys.add(key);
    else set.set(object, new Set([key]));
  }
  for (const [object, { size }] of set) {
    const most = limits.keys[depthOf(object)] ?? 0;
    if (numOps + operations.length > most && size + keysOf(backend, object) > most) return true;
  }
  return false;
}

function keysOf(backend: Backend | null, object: string): number {
  try {
    return backend?.length(object) ?? 0;
  } catch {
    return 0;
  }
}

/**
 * Applies changes to a copy, without what screens need of them.
 * @returns the bytes of the document with them
 * @throws Refusal when it exceeds the limits
 */
function sizeWith(
  backend: Backend | null,
  chunks: readonly Uint8Array[],
  { operations }: Pick<Added, 'operations'>,
  limits: DocumentLimits,
  history: () => Iterable<readonly ChangeOperation[]>,
): number {
  const empty = backend ? null : A.init();
  const copy = (backend ?? A.getBackend(empty!)).fork();
  try {
    for (const chunk of chunks) copy.loadIncremental(chunk);
    const places = new ObjectPlaces(copy, () => [...history(), operations]);
    const bytes = copy.saveNoCompress().length;
    // Those of a whole document are not one change.
    const total = { ...limits, operationsPerChange: Infinity };
    const excess = documentExcess([operations], {
      places,
      core: copy,
      limits: total,
      bytes,
      headsBefore: 0,
    });
    if (excess) throw new Refusal(excess.reason, excess.message);
    return bytes;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('invalid', 'cannot be applied');
  } finally {
    copy.free();
    if (empty) A.free(empty);
  }
}
