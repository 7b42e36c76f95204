import type { DocumentKind } from '../document-kinds.ts';

/**
 * What a document of a kind may hold. The sync server refuses changes beyond that before they are stored, and devices stay within
 * it (docs/decisions/0359-bound-documents-by-kind.md).
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
}

const MiB = 1024 * 1024;
/** Other people's actions, such as a block, must always fit into what no device writes. */
const SERVER_WRITTEN = 3;
/** Only their owner reads these documents, and nothing rewrites them: four app starts a day for ten years. */
const OWN_ACTORS = 16_384;
/** More heads than that are merged by the server. */
export const HEADS_MERGED_ABOVE = 32;

const written = {
  operations: 30_000,
  changes: 30_000,
  actors: 4_096,
  heads: 64,
  operationsPerChange: 1_000,
  bytes: 4 * MiB,
};
const serverWritten = {
  operations: SERVER_WRITTEN * written.operations,
  changes: SERVER_WRITTEN * written.changes,
  // Each named change is one.
  actors: SERVER_WRITTEN * written.changes,
  heads: written.heads,
  operationsPerChange: SERVER_WRITTEN * written.operations,
  bytes: SERVER_WRITTEN * written.bytes,
};

/** The limits by kind. Several times what an app that is used every day for ten years comes to. */
export const documentLimits: Record<DocumentKind, DocumentLimits> = {
  // The card; its dogs; a dog; its notes.
  card: { ...written, actors: OWN_ACTORS, keys: [64, 256, 64, 64] },
  // The account; settings, quiet places, sounds, drafts; an entry.
  account: { ...written, actors: OWN_ACTORS, keys: [64, 4_096, 64] },
  // Contacts; people, threads, invitations; one of these; its segments; a segment.
  contacts: { ...serverWritten, keys: [64, Infinity, 64, Infinity, 64] },
  friend_card: { ...serverWritten, keys: [64, 256, 64, 64] },
  // The segment with its reactions; messages and marks; a message; its photo or the message that it answers. One change may mark all
  // messages as read, or restore them.
  segment: { ...written, operationsPerChange: written.operations, keys: [4_096, 4_096, 64, 64] },
};

/**
 * What one message may hold: any document that a device may write, as a whole or as changes, but for the number of actors. So a device may
 * always send its changes in parts.
 */
export const messageLimits = {
  operations: written.operations,
  changes: written.changes,
  /** References of operations and changes to others, several of which may belong to one. */
  references: 2 * written.operations,
  /** Who made the changes. Each new one costs as much as the document has: 10,000 in a message take longer than a server may. */
  actors: 256,
  /** Decompressed. */
  bytes: written.bytes,
} as const;

/** What a message contains besides a document: heads, a Bloom filter, names. */
const AROUND_DOCUMENT_BYTES = MiB;
/**
 * Maximum size of a WebSocket frame, into which any document fits. The sync server closes the socket of larger ones before it reads them,
 * so devices send none.
 */
export const FRAME_MAX_BYTES = messageLimits.bytes + AROUND_DOCUMENT_BYTES;

/** A line that carries less than this, in bytes per millisecond, counts as broken. */
export const SLOWEST_BYTES_PER_MS = 1;
