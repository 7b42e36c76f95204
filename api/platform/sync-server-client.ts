import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { retry } from '#shared/backoff.ts';
import type { SegmentPlace } from '#shared/chat/document.ts';
import type { ChangeInput, ChangeName, DocumentKind } from '#shared/document-kinds.ts';
import type { Endpoint, Failure } from '#shared/endpoint.ts';
import { DocumentAway, HttpError, unavailable } from '#shared/http/http-error.ts';
import { currentTrace } from '#shared/server/log.ts';
import {
  changeDocument,
  createDocument,
  disconnect,
  endEpoch,
  listEndingEpochs,
  succeedDocument,
  publishCard,
  FROZEN,
  ONE_UNAVAILABLE,
  readDocument,
  ready,
  removeDocument,
  retireDocument,
  setReaders,
} from '#shared/sync/contract.ts';
import { documentIdFrom } from '#shared/sync/document-ids.ts';
import { traceparent } from '#shared/trace-context.ts';

/**
 * The document is removed or frozen, so the change was not stored there. It may be in there anyway.
 */
export class DocumentUnavailableError extends Error {}

/**
 * The documents in the sync server, through its internal port. Every call is idempotent and retried while the sync
 * server restarts; writes are durable when a call returns.
 * @throws HttpError 503 when the sync server stays unavailable; 413 when a document has no room for a change; 429 for
 * too many calls on behalf of a user (`by`)
 */
export interface Documents {
  /** @param place of a thread segment; other kinds have none */
  create(
    id: string,
    kind: DocumentKind,
    ownerUserId: string,
    createdAt: Date,
    place?: SegmentPlace,
  ): Promise<void>;
  /**
   * Creates the document through which one user reads another user’s card. The sync server keeps it up to date.
   * @param viewerUserId its only reader
   */
  createFriendCard(id: string, viewerUserId: string, subjectUserId: string): Promise<void>;
  read(id: string, by?: string): Promise<unknown>;
  /**
   * @returns the document’s plain value after the change, for the reader of its kind
   * @throws DocumentUnavailableError for calls on behalf of a user
   */
  change<K extends DocumentKind, N extends ChangeName<K>>(
    kind: K,
    id: string,
    name: N,
    input: ChangeInput<K, N>,
    by?: string,
  ): Promise<unknown>;
  /** @param limits.is_frozen whether the owner can only read it for now, too */
  setReaders(id: string, readerUserIds: string[], limits?: { is_frozen: boolean }): Promise<void>;
  /** Makes it read-only for its owner permanently: another document is about to replace it. */
  retire(id: string): Promise<void>;
  /**
   * Retires a document and creates one with its values and no history, which is frozen (`setReaders`). The old one stays readable for
   * its owner.
   * @returns the id of the new document, the same for each call
   * @throws DocumentUnavailableError when it cannot be replaced now: then it stays as it is
   */
  succeed(id: string): Promise<string>;
  /** Documents to replace before they are full, some at a time. */
  endingEpochs(): Promise<z.output<typeof listEndingEpochs.answer>['documents']>;
  /** Notes that a document was replaced everywhere. */
  endEpoch(id: string): Promise<void>;
  /** @returns the id of the document that replaces it, if there is one */
  remove(id: string): Promise<string | null>;
  /** Publishes a user’s card to their friends soon. */
  publishCard(userId: string): Promise<void>;
  disconnect(whom: { session_id: string } | { user_id: string }): Promise<void>;
  isReady(): Promise<boolean>;
}

/** Returns a new document's id. */
export const newDocumentId = (): string => documentIdFrom(randomBytes(16));

const ATTEMPT_MS = 5_000;
const RETRY_MS = { first: 200, longest: 1_000, forMs: 6_000 };
const READY_MS = 1_000;

interface Message {
  documentId?: string;
  by?: string | undefined;
  body?: unknown;
  /** Returns a body for each attempt. */
  bodyOfAttempt?: () => unknown;
}

/**
 * Creates a client of the internal port of the sync server.
 * @param urls of one or several sync nodes, without a trailing slash, separated by commas. Calls go to the first one; if it fails, to
 * the next, which is used from then on
 */
export function createSyncServerClient(urls: string, secret: string): Documents {
  const nodes = urls.split(',');
  /** The index of the node that answered last. */
  let current = 0;

  async function once(
    node: string,
    endpoint: Endpoint,
    message: Message,
    ms: number,
  ): Promise<Response> {
    const path = endpoint.path.replace(':documentId', encodeURIComponent(message.documentId ?? ''));
    const body = message.bodyOfAttempt?.() ?? message.body;
    const query = message.by === undefined ? '' : `?by=${encodeURIComponent(message.by)}`;
    return fetch(`${node}${path}${query}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        traceparent: traceparent(currentTrace()),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(ms),
    });
  }

  async function send<A extends z.ZodType>(
    endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, A>,
    message: Message,
  ): Promise<z.output<A>> {
    const attempt = async (node: string) => {
      const response = await once(node, endpoint, message, ATTEMPT_MS);
      const answer: unknown = await response.json();
      if (response.ok) return { value: endpoint.answer.parse(answer) };
      const cause = new Error(
        `the sync server answered ${response.status} to ${endpoint.method} ${endpoint.path}: ${JSON.stringify(answer)}`,
      );
      const failure = answer as Failure;
      if (response.status >= 500 && failure.code !== ONE_UNAVAILABLE) throw cause;
      return { refusal: refusalOf(response.status, failure, cause) };
    };
    /** Tries each node once. */
    const attemptAll = async () => {
      for (let failures = 1; ; failures++) {
        const tried = current;
        try {
          return await attempt(nodes[tried]!);
        } catch (error) {
          // Another call may have moved on already.
          if (tried === current) current = (tried + 1) % nodes.length;
          if (failures >= nodes.length) throw error;
        }
      }
    };
    const outcome = await retry(attemptAll, RETRY_MS).catch((error: unknown) => {
      throw unavailable('sync-server', error);
    });
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.value;
  }

  return {
    async create(id, kind, ownerUserId, createdAt, place) {
      const body = {
        document_id: id,
        kind,
        owner_user_id: ownerUserId,
        created_at: createdAt.toISOString(),
        place,
      };
      await send(createDocument, { body });
    },
    async createFriendCard(id, viewerUserId, subjectUserId) {
      const body = {
        document_id: id,
        kind: 'friend_card' as const,
        owner_user_id: viewerUserId,
        created_at: new Date().toISOString(),
        subject_user_id: subjectUserId,
      };
      await send(createDocument, { body });
    },
    read: async (id, by) => (await send(readDocument, { documentId: id, by })).value,
    async change(_kind, id, name, input, by) {
      const actors: string[] = [];
      const bodyOfAttempt = () => {
        actors.push(randomBytes(16).toString('hex'));
        return { name, input, by, actors };
      };
      return (await send(changeDocument, { documentId: id, bodyOfAttempt })).value;
    },
    async setReaders(id, reader_user_ids, limits) {
      await send(setReaders, { documentId: id, body: { reader_user_ids, ...limits } });
    },
    async retire(id) {
      await send(retireDocument, { documentId: id });
    },
    async succeed(id) {
      return (await send(succeedDocument, { documentId: id })).document_id;
    },
    endingEpochs: async () => (await send(listEndingEpochs, {})).documents,
    async endEpoch(id) {
      await send(endEpoch, { documentId: id });
    },
    async remove(id) {
      return (await send(removeDocument, { documentId: id })).successor;
    },
    async publishCard(userId) {
      await send(publishCard, { body: { user_id: userId } });
    },
    async disconnect(whom) {
      await send(disconnect, { body: whom });
    },
    async isReady() {
      const isNodeReady = async (node: string) => {
        const response = await once(node, ready, {}, READY_MS);
        if (!response.ok || !ready.answer.parse(await response.json()).ready)
          throw new Error(`${node} is not ready`);
        return true;
      };
      return Promise.any(nodes.map(isNodeReady)).catch(() => false);
    },
  };
}

/**
 * Returns the error for the user, where it is about what the user did; otherwise the cause, which is a bug of ours.
 */
function refusalOf(status: number, { error, code }: Failure, cause: Error): Error {
  if (status === 404 || code === FROZEN) return new DocumentUnavailableError(cause.message);
  if (code === ONE_UNAVAILABLE) return new DocumentAway(cause);
  if (status === 413) return new HttpError(413, error, { cause });
  return status === 429
    ? new HttpError(429, error, { cause, headers: { 'retry-after': '2' } })
    : cause;
}
