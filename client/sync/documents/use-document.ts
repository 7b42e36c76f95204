import { useEffect, useSyncExternalStore } from 'react';
import type { OwnKind } from '#shared/document-kinds.ts';
import type { UserDocuments } from './user-documents.ts';
import type { DocumentState, SyncState } from './document-state.ts';
import { useUser } from '../../session/use-auth.tsx';
import { documentsOf } from './current-user-documents.ts';
import type { Connection } from '../connection/server-connection.ts';

const SIGNED_OUT: DocumentState = { status: 'unavailable', doc: null };
const NO_SYNC: SyncState = {
  connection: 'offline',
  isConfirmed: false,
  unconfirmed: 0,
  storage: 'device',
};
const neverChanges = () => () => {};

/** Returns the documents of the current user; null while signed out. */
export function useDocuments(): UserDocuments | null {
  const user = useUser();
  const documents = user && documentsOf(user);
  useEffect(() => documents?.start(), [documents]);
  return documents;
}

/** Returns a document of the current user as it is on this device. */
export function useDocument(kind: OwnKind): DocumentState {
  const documents = useDocuments();
  return useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => documents?.getDocument(kind) ?? SIGNED_OUT,
  );
}

/** Returns the state of the connection to the sync server. */
export function useConnection(): Connection {
  const documents = useDocuments();
  return useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => (documents?.getSyncState() ?? NO_SYNC).connection,
  );
}

/** Returns the sync state, which is a new object after each edit. */
export function useSyncState(): SyncState {
  const documents = useDocuments();
  return useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => documents?.getSyncState() ?? NO_SYNC,
  );
}
