import { z } from 'zod';
import { segmentPlace } from '../chat/document.ts';
import type { DocumentKind } from '../document-kinds.ts';
import { endpoint } from '../endpoint.ts';

/**
 * The sync server's internal API, for the API only: HTTP on loopback (or a private network), with
 * `Authorization: Bearer ${SYNC_SECRET}`. Writes are durable before they are answered, and may be repeated.
 */
const kind = z.enum([
  'card',
  'account',
  'contacts',
  'friend_card',
  'segment',
] satisfies DocumentKind[]);
const id = z.object({ documentId: z.string().min(1).max(64) });
/** The user on whose behalf the call is made: its time counts toward their rate limit (429). */
const by = z.string().min(1).max(64).optional();
/** The error code if a document's owner may only read it. */
export const FROZEN = 'frozen';
/** The error code of a 503 about this document only: it is in quarantine, or its owner may only read. */
export const ONE_UNAVAILABLE = 'one_unavailable';
const userIds = z.array(z.string().min(1).max(64)).max(10_000);

export const createDocument = endpoint('POST', '/documents', {
  access: 'public',
  body: z.object({
    /** In the format of automerge-repo: base58check of 16 bytes. */
    document_id: z.string().min(1).max(64),
    kind,
    owner_user_id: z.string().min(1).max(64),
    created_at: z.iso.datetime(),
    /** Of thread segments. */
    place: segmentPlace.optional(),
    /** Of friend cards: the user whose card it shows. It is updated whenever that card changes. */
    subject_user_id: z.string().min(1).max(64).optional(),
  }),
  failure: 'Failed to create document',
});

export const readDocument = endpoint('GET', '/documents/:documentId', {
  access: 'public',
  params: id,
  query: z.object({ by }),
  /** The plain value: text as strings. */
  answer: z.object({ value: z.unknown() }),
  failure: 'Failed to read document',
});

export const changeDocument = endpoint('POST', '/documents/:documentId/changes', {
  access: 'public',
  params: id,
  /**
   * A named change of the document's kind with its input: see document-kinds.ts. A call on behalf of a user fails if the document was
   * removed (404) or is frozen (409 `FROZEN`) when the change is durable; the change may then be in the document or not. It isn't carried
   * out if its caller has hung up before.
   */
  body: z.object({
    name: z.string().max(100),
    input: z.unknown(),
    by,
    /**
     * The Automerge actor of this attempt, after those of earlier attempts of the same call, as 32 hexadecimal digits.
     * If an earlier one made its change, this one makes none, so that values that were removed since don't return.
     */
    actors: z
      .array(z.string().regex(/^[\da-f]{32}$/))
      .max(50)
      .optional(),
  }),
  answer: z.object({ value: z.unknown() }),
  failure: 'Failed to change document',
});

export const setReaders = endpoint('PUT', '/documents/:documentId/readers', {
  access: 'public',
  params: id,
  /**
   * Users who may read it besides the owner. Devices that have the document open and lose access, or were refused it and
   * gain access, are disconnected and start over.
   */
  body: z.object({
    reader_user_ids: userIds,
    /** Whether the owner may only read it, too. */
    is_frozen: z.boolean().default(false),
  }),
  failure: 'Failed to set readers',
});

/** Makes a document read-only for its owner permanently, whatever `setReaders` says: another document will replace it. */
export const retireDocument = endpoint('POST', '/documents/:documentId/retirement', {
  access: 'public',
  params: id,
  failure: 'Failed to retire document',
});

/**
 * Replaces a document by one with the same values and no history, for the next epoch. It is retired, and stays readable until it is
 * removed; the new one is frozen until `setReaders`. May be repeated. 409 `FROZEN` if it cannot be rewritten now: it is not retired
 * then, and listed again later.
 */
export const succeedDocument = endpoint('POST', '/documents/:documentId/successor', {
  access: 'public',
  params: id,
  answer: z.object({ document_id: z.string() }),
  failure: 'Failed to replace document',
});

/** The documents that should be replaced. A document is one until `endEpoch`. */
export const listEndingEpochs = endpoint('GET', '/ending-epochs', {
  access: 'public',
  answer: z.object({
    documents: z.array(z.object({ document_id: z.string(), kind, owner_user_id: z.string() })),
  }),
  failure: 'Failed to list documents',
});

/** Notes that a document was replaced everywhere. */
export const endEpoch = endpoint('DELETE', '/ending-epochs/:documentId', {
  access: 'public',
  params: id,
  failure: 'Failed to end an epoch',
});

export const removeDocument = endpoint('DELETE', '/documents/:documentId', {
  access: 'public',
  params: id,
  /** The document that replaces it in the next epoch, perhaps only later. Sync servers of the last release don't send it. */
  answer: z.object({ successor: z.string().nullable().default(null) }),
  failure: 'Failed to remove document',
});

/** Updates the friend cards of a user soon, after the API has moderated the names on the card. */
export const publishCard = endpoint('POST', '/published-cards', {
  access: 'public',
  body: z.object({ user_id: z.string().min(1).max(64) }),
  failure: 'Failed to publish card',
});

export const disconnect = endpoint('POST', '/disconnect', {
  access: 'public',
  /** Closes the sockets of a session or of a user. Devices may reconnect if they still have access. */
  body: z.union([z.object({ session_id: z.string() }), z.object({ user_id: z.string() })]),
  failure: 'Failed to disconnect',
});

export const ready = endpoint('GET', '/health', {
  access: 'public',
  answer: z.object({ ready: z.boolean() }),
  failure: 'Failed to check health',
});

/** Metrics of the process for tests and benchmarks. Stalls are measured since the previous call; the first one starts it. */
export const getMetrics = endpoint('GET', '/metrics', {
  access: 'public',
  answer: z.object({
    max_stall_ms: z.number(),
    /** CPU time since the process started. */
    cpu_ms: z.number(),
    rss_bytes: z.number(),
    open_documents: z.number(),
    sockets: z.number(),
  }),
  failure: 'Failed to read metrics',
});
