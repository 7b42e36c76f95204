import { useEffect, useSyncExternalStore } from 'react';
import type { OwnKind } from '#shared/document-kinds.ts';
import type { UserDocuments } from './user-documents.ts';
import type { DocumentState, SyncState } from './document-state.ts';
import { useUser } from '../../session/use-auth.tsx';
import { documentsOf } from './current-user-documents.ts';
import type { Connection } from '../connection/server-connection.ts';

const NOBODY: DocumentState = { status: 'unavailable', doc: null };
const NO_SYNC: SyncState = {
  connection: 'offline',
  isConfirmed: false,
  unconfirmed: 0,
  storage: 'device',
};
const neverChanges = () => () => {};

/** The documents of whoever is signed in; null when nobody is. */
export function useDocuments(): UserDocuments | null {
  const user = useUser();
  const documents = user && documentsOf(user);
  useEffect(() => documents?.start(), [documents]);
  return documents;
}

/** One document of whoever is signed in, as it is on this device now. */
export function useDocument(kind: OwnKind): DocumentState {
  const documents = useDocuments();
  return useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => documents?.getDocument(kind) ?? NOBODY,
  );
}

/** Whether there is a server. */
export function useConnection(): Connection {
  const documents = useDocuments();
  return useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => (documents?.getSyncState() ?? NO_SYNC).connection,
  );
}

/** How far this device and the server agree: another object with each edit. */
export function useSyncState(): SyncState {
  const documents = useDocuments();
  return useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => documents?.getSyncState() ?? NO_SYNC,
  );
}
