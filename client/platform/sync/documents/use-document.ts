import { useEffect, useSyncExternalStore } from 'react';
import type { OwnKind } from '#shared/document-kinds.ts';
import { useUser } from '../../session/use-auth.tsx';
import type { Connection } from '../connection/server-connection.ts';
import { NO_SYNC, type DocumentState, type SyncState } from '../state/document-state.ts';
import { documentsOf } from './current-user-documents.ts';
import type { UserDocuments } from './user-documents.ts';

const SIGNED_OUT: DocumentState = { status: 'unavailable', doc: null };
const neverChanges = () => () => {};

/** Returns the documents of the current user; null while signed out. */
export function useDocuments(): UserDocuments | null {
  const user = useUser();
  const documents = user && documentsOf(user);
  useEffect(() => documents?.start(), [documents]);
  return documents;
}

/** Reads a value from the current user's documents, null while signed out; renders again when it changes. */
export function useDocumentsValue<T>(read: (documents: UserDocuments | null) => T): T {
  const documents = useDocuments();
  return useSyncExternalStore(documents?.subscribe ?? neverChanges, () => read(documents));
}

/** Returns a document of the current user as it is on this device. */
export const useDocument = (kind: OwnKind): DocumentState =>
  useDocumentsValue((documents) => documents?.getDocument(kind) ?? SIGNED_OUT);

/** Returns the sync state, which is a new object after each edit. */
export const useSyncState = (): SyncState =>
  useDocumentsValue((documents) => documents?.getSyncState() ?? NO_SYNC);

/** Returns the state of the connection to the sync server. */
export const useConnection = (): Connection =>
  useDocumentsValue((documents) => (documents?.getSyncState() ?? NO_SYNC).connection);
