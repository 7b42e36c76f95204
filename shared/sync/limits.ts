import type { DocumentKind } from '../document-kinds.ts';

/**
 * What a document of a kind may hold. The sync server refuses changes beyond that before they are stored, and devices stay within
 * it (docs/decisions/0037-compare-documents-send-parts-and-bound-what-is-stored.md).
 */
export interface DocumentLimits {
  /**
   * How many keys an object may have, by its depth: first the document itself, then the objects in it, and so on. There are no
   * deeper objects, except for collaborative texts in place of texts.
   */
  keys: readonly number[];
  operations: number;
  changes: number;
  /** Each start of the app on a device that writes is one. Loading takes longer with each. */
  actors: number;
  /** Heads that changes of a device may leave. The server merges them beyond `HEADS_MERGED_ABOVE`. */
  heads: number;
  operationsPerChange: number;
  /** Uncompressed. */
  bytes: number;
  /** Whether another document replaces it before it is full: those of which every user has one. */
  hasEpochs: boolean;
}

const MiB = 1024 * 1024;
/** Other people's actions, such as a block, must always fit into what no device writes. */
const SERVER_WRITTEN = 3;
/**
 * The share of a limit at which a document is replaced by one without a history (decision 392). A device that was offline meanwhile
 * may add three times as much to the old one.
 */
const EPOCH_SHARE = 1 / 4;
/** A document whose values alone take that much is not replaced again before it has this many changes. */
const EPOCH_CHANGES_MIN = 500;

/** Whether a document has used up so much of its limits that another one should replace it: only documents of which users have one. */
export function isEpochDue(
  { numOps, numChanges, numActors }: { numOps: number; numChanges: number; numActors: number },
  bytes: number,
  limits: DocumentLimits,
): boolean {
  if (!limits.hasEpochs || numChanges < EPOCH_CHANGES_MIN) return false;
  return (
    numOps >= EPOCH_SHARE * limits.operations ||
    numChanges >= EPOCH_SHARE * limits.changes ||
    numActors >= EPOCH_SHARE * limits.actors ||
    bytes >= EPOCH_SHARE * limits.bytes
  );
}

/** More heads than that are merged by the server. */
export const HEADS_MERGED_ABOVE = 32;

const written = {
  operations: 30_000,
  changes: 30_000,
  actors: 4_096,
  heads: 64,
  operationsPerChange: 1_000,
  bytes: 4 * MiB,
  hasEpochs: false,
};
const serverWritten = {
  operations: SERVER_WRITTEN * written.operations,
  changes: SERVER_WRITTEN * written.changes,
  // Each named change is one.
  actors: SERVER_WRITTEN * written.changes,
  heads: written.heads,
  operationsPerChange: SERVER_WRITTEN * written.operations,
  bytes: SERVER_WRITTEN * written.bytes,
  hasEpochs: false,
};

/** The limits by kind. Several times what an app that is used every day comes to in ten years, or before it is replaced. */
export const documentLimits: Record<DocumentKind, DocumentLimits> = {
  // The card; its dogs; a dog; its notes.
  card: { ...written, hasEpochs: true, keys: [64, 256, 64, 64] },
  // The account; settings, quiet places, sounds, drafts; an entry.
  account: { ...written, hasEpochs: true, keys: [64, 4_096, 64] },
  // Contacts; people, threads, invitations; one of these; its segments; a segment.
  contacts: { ...serverWritten, hasEpochs: true, keys: [64, Infinity, 64, Infinity, 64] },
  friend_card: { ...serverWritten, keys: [64, 256, 64, 64] },
  // The segment with its reactions; messages and marks; a message; its photo or the message that it answers. One change may mark all
  // messages as read, or restore them.
  segment: { ...written, operationsPerChange: written.operations, keys: [4_096, 4_096, 64, 64] },
};

/** What a document takes more as changes, each of which names its author and those before it. */
const AS_CHANGES_BYTES = MiB / 2;

/**
 * What one message may hold: any document that a device may write, as a whole, but for the number of actors, and each of its changes. So a
 * device may always send its changes in parts.
 */
export const messageLimits = {
  operations: written.operations,
  changes: written.changes,
  /** References of operations and changes to others, several of which may belong to one. */
  references: 2 * written.operations,
  /** Who made the changes. Each new one costs as much as the document has: 10,000 in a message take longer than a server may. */
  actors: 256,
  /** Decompressed. */
  bytes: written.bytes + AS_CHANGES_BYTES,
} as const;

/** What a frame contains besides a document: heads, a Bloom filter, names. */
const AROUND_DOCUMENT_BYTES = MiB;
/**
 * Maximum size of a WebSocket frame, into which any document fits. The sync server closes the socket of larger ones before it reads them,
 * so devices send none.
 */
export const FRAME_MAX_BYTES = written.bytes + AROUND_DOCUMENT_BYTES;

/** A line that carries less than this, in bytes per millisecond, counts as broken. */
export const SLOWEST_BYTES_PER_MS = 1;
