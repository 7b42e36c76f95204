import type { ObjectId } from 'mongodb';
import type { LogRow } from '../database.ts';
import type { EphemeralSource, OpenDocument } from './open-document.ts';

/** A connection that is notified about a document without having it open. */
export interface PassiveSubscriber {
  /** Called when the document was loaded. */
  documentOpened(document: OpenDocument): void;
  sendEphemeral(documentId: string, source: EphemeralSource, data: Uint8Array): void;
}

/** The other nodes, which may have the same documents open. */
export interface DocumentNodes {
  /** Whether there may be others: they may change documents that are not in memory here. */
  readonly hasOthers: boolean;
  /** Follows the changes that other nodes make to a document, until `unfollow` is called as often. */
  follow(documentId: string): void;
  unfollow(documentId: string): void;
  /** Announces durable chunks. Resolves when this node may send them. */
  stored(document: OpenDocument, chunks: Uint8Array, record: ObjectId): Promise<void>;
  /** Loads all changes that are durable by now. */
  refresh(document: OpenDocument): Promise<void>;
  /** Loads all changes in the log again, because some may have been stored while the document was being loaded. */
  reload(document: OpenDocument): Promise<void>;
  /** Runs a named change on the current state; if only this server writes the document, while no other node does. */
  exclusively<T>(document: OpenDocument, work: () => Promise<T>): Promise<T>;
  /** Runs work unless another node does the same now. */
  alone(work: string, run: () => Promise<void>): Promise<void>;
  /** Whether all nodes have the changes of a record, so that it can leave the log. */
  isReadByAll(record: Pick<LogRow, '_id' | 'writer'>): boolean;
  sendEphemeral(documentId: string, source: EphemeralSource, data: Uint8Array): void;
}

/** Without other nodes: everything is known here. */
export const noOtherNodes: DocumentNodes = {
  hasOthers: false,
  follow() {},
  unfollow() {},
  stored: async () => {},
  refresh: async () => {},
  reload: async () => {},
  exclusively: (_document, work) => work(),
  alone: (_work, run) => run(),
  isReadByAll: () => true,
  sendEphemeral() {},
};
