import { HttpError, notFound } from '#shared/http/http-error.ts';
import type { Documents } from '../../core/documents/documents.ts';
import type { OpenDocument } from '../../core/documents/open-document.ts';
import { FREE_LOAD_MS } from '../../core/limits.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';

/** On whose behalf a call works; not given for the API itself. */
export type By = string | undefined;

/** Runs work of calls on documents, and charges it to the user on whose behalf it is. */
export function documentWork({
  documents,
  connections,
}: {
  documents: Documents;
  connections: ConnectionRegistry;
}) {
  /** @param by on whose behalf: they are charged if it must be loaded */
  async function withDocument<T>(
    documentId: string,
    work: (document: OpenDocument) => Promise<T> | T,
    by?: By,
  ): Promise<T> {
    const who = by !== undefined && {
      userId: by,
      charge: (ms: number) => ms > FREE_LOAD_MS && connections.chargeTime(by, ms),
    };
    const document = await documents.open(documentId, who || undefined);
    if (!document) throw notFound('Document');
    try {
      return await work(document);
    } finally {
      document.release();
    }
  }

  /** The last work by user. */
  const lastWork = new Map<string, Promise<unknown>>();

  /**
   * Runs work on behalf of a user, one call after the other.
   * @throws HttpError 429 while the user exceeds the rate limit
   */
  function workFor<T>(by: By, work: (charge: (ms: number) => void) => Promise<T>): Promise<T> {
    if (by === undefined) return work(() => {});
    const working = (lastWork.get(by) ?? Promise.resolve()).then(() => {
      if (connections.isOverLimit(by)) throw new HttpError(429, 'Too much at once. Wait a moment.');
      return work((ms) => connections.chargeTime(by, ms));
    });
    const settled: Promise<unknown> = Promise.allSettled([working]).finally(() => {
      if (lastWork.get(by) === settled) lastWork.delete(by);
    });
    lastWork.set(by, settled);
    return working;
  }

  return { withDocument, workFor };
}
