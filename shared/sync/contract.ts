import { z } from 'zod';
import { segmentPlace } from '../chat/document.ts';
import type { DocumentKind } from '../document-kinds.ts';
import { endpoint } from '../endpoint.ts';

/**
 * The sync server's internal port, for the api only: HTTP on loopback (or a private network), with
 * `Authorization: Bearer ${SYNC_SECRET}`. Everything that writes is durable before it is answered,
 * and may be repeated.
 */
const kind = z.enum([
  'card',
  'account',
  'contacts',
  'friend_card',
  'segment',
] satisfies DocumentKind[]);
const id = z.object({ documentId: z.string().min(1).max(64) });
/** For whom it is done, where that is somebody: they pay for the time that it takes, and get a 429 while they asked for too much. */
const by = z.string().min(1).max(64).optional();
/** The code of what is refused because a document's owner may only read it. */
export const FROZEN = 'frozen';
const userIds = z.array(z.string().min(1).max(64)).max(10_000);

export const createDocument = endpoint({
  method: 'POST',
  path: '/documents',
  access: 'public',
  body: z.object({
    /** As automerge-repo writes it: base58check of 16 bytes. */
    document_id: z.string().min(1).max(64),
    kind,
    owner_user_id: z.string().min(1).max(64),
    created_at: z.iso.datetime(),
    /** Of segments of a thread. */
    place: segmentPlace.optional(),
    /** Of friend cards: whose card it shows. It is kept in line with that card from then on. */
    subject_user_id: z.string().min(1).max(64).optional(),
  }),
  answer: z.object({}),
  failure: 'Failed to create document',
});

export const readDocument = endpoint({
  method: 'GET',
  path: '/documents/:documentId',
  access: 'public',
  params: id,
  query: z.object({ by }),
  /** The plain value: text as strings. */
  answer: z.object({ value: z.unknown() }),
  failure: 'Failed to read document',
});

export const changeDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/changes',
  access: 'public',
  params: id,
  /**
   * A named change of the document's kind with its input, see document-kinds.ts. What is done for somebody is refused where the document
   * is gone (404) or frozen (409 `FROZEN`) when it is durable: it may be in there, and may not be kept.
   */
  body: z.object({ name: z.string().max(100), input: z.unknown(), by }),
  answer: z.object({ value: z.unknown() }),
  failure: 'Failed to change document',
});

export const setReaders = endpoint({
  method: 'PUT',
  path: '/documents/:documentId/readers',
  access: 'public',
  params: id,
  /**
   * Users who may read besides the owner. Devices that have the document open and lose the right, or were refused it and
   * gain the right, are disconnected and start over; a device that has not asked yet finds it without that.
   */
  body: z.object({
    reader_user_ids: userIds,
    /** Whether the owner may only read it for now, too. */
    is_frozen: z.boolean().default(false),
  }),
  answer: z.object({}),
  failure: 'Failed to set readers',
});

/** Its owner may only read it, for good, whatever `setReaders` says: another document is about to take its place. */
export const retireDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/retirement',
  access: 'public',
  params: id,
  answer: z.object({}),
  failure: 'Failed to retire document',
});

export const removeDocument = endpoint({
  method: 'DELETE',
  path: '/documents/:documentId',
  access: 'public',
  params: id,
  answer: z.object({}),
  failure: 'Failed to remove document',
});

export const publishCard = endpoint({
  method: 'POST',
  path: '/published-cards',
  access: 'public',
  body: z.object({ user_id: z.string().min(1).max(64) }),
  /** Has friends see somebody's card as its projection now is, soon: the api has decided about its names. */
  answer: z.object({}),
  failure: 'Failed to publish card',
});

export const disconnect = endpoint({
  method: 'POST',
  path: '/disconnect',
  access: 'public',
  /** Closes the sockets of a session, or of a whole user; they may come back if they still have the right. */
  body: z.union([z.object({ session_id: z.string() }), z.object({ user_id: z.string() })]),
  answer: z.object({}),
  failure: 'Failed to disconnect',
});

export const ready = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  answer: z.object({ ready: z.boolean() }),
  failure: 'Failed to check health',
});

/** What a test or a bench wants to know of the process. Stalls are counted from the first call on, and anew after each. */
export const getMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
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
