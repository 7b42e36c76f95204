import type { Logger } from 'pino';
import type { DocumentPermissions } from '../../core/access/document-permissions.ts';
import type { Documents } from '../../core/documents/documents.ts';
import type { Device } from '../../core/documents/open-document.ts';
import type { Encodable } from '../client-messages.ts';

/** The connection that the documents belong to. */
export interface DocumentsConnection extends Device {
  readonly log: Logger;
  send(type: string, fields: Record<string, Encodable>): void;
  charge(cost: number): void;
  /** See `TokenBucket.loadInTurn`. */
  loadInTurn<T>(load: () => Promise<T>): Promise<T>;
}

export interface DocumentsHost {
  readonly documents: Documents;
  readonly permissions: DocumentPermissions;
  /**
   * Returns what is stored of a document in quarantine, with its heads; null if it does not exist.
   * @param inTurn runs the synchronous work
   * @throws when it is damaged
   */
  readStored(
    documentId: string,
    inTurn: <T>(work: () => T) => Promise<T>,
  ): Promise<{ heads: string[]; chunks: Uint8Array[] } | null>;
  /** Changes of documents that others read may not have later timestamps than this, in seconds. */
  readonly timesUntil: number;
}
