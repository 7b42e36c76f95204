import type { DocHandle } from '@automerge/automerge-repo/slim';
import type { RefusalReason } from '#shared/sync/refusals.ts';
import type { Connection } from '../connection/server-connection.ts';
import type { Obstacle } from './obstacle.ts';

export interface SyncState {
  connection: Connection;
  /** Whether the server last closed the connection because it does not understand this version of the app. */
  isRejected: boolean;
  /** Whether the server has stored every change of this device, and this device has all of the server's. */
  isConfirmed: boolean;
  /** Whether the server has said over this connection what it has of every document. */
  isCompared: boolean;
  /** The number of changes that the server has not confirmed. */
  unconfirmed: number;
  /** The number of changes that the server refused. They stay on this device, and are not in `unconfirmed`. */
  refused: number;
  /** Why; null if nothing was refused. */
  refusal: RefusalReason | null;
  /** Whether this device left something out that arrived of a document, because it exceeds the bounds of its kind. */
  hasLeftOut: boolean;
  /** Whether the user's last change was not made, because there is no room for it. */
  hasNoRoom: boolean;
  /** Why documents can't be opened; null while they can. With one, the card and the account may come from the API. */
  obstacle: Obstacle | null;
  /** Where edits are stored: on this device; in memory until the browser accepts a write; or only in memory. */
  storage: 'device' | 'refusing' | 'memory';
  /** Whether the browser deleted what was stored on this device. */
  hasLostStorage: boolean;
  /** Whether the changes that earlier starts stored on this device are not read yet: there may be some. */
  isUnread: boolean;
  /** Whether something that is stored on this device can't be read for now. */
  isUnreadable: boolean;
}

/** Before anything is known, and while nobody is signed in. */
export const NO_SYNC: SyncState = {
  connection: 'offline',
  isRejected: false,
  isConfirmed: false,
  isCompared: false,
  unconfirmed: 0,
  refused: 0,
  refusal: null,
  hasLeftOut: false,
  hasNoRoom: false,
  storage: 'device',
  hasLostStorage: false,
  isUnread: false,
  isUnreadable: false,
  obstacle: null,
};

export type DocumentStatus = 'loading' | 'ready' | 'unavailable';

export interface DocumentState {
  status: DocumentStatus;
  /** Untrusted: read it through its kind's `read`. */
  doc: unknown;
}

export const LOADING: DocumentState = { status: 'loading', doc: null };
export const UNAVAILABLE: DocumentState = { status: 'unavailable', doc: null };
/**
 * Reads the state of a document.
 * @param before its last state, which is returned again if nothing changed
 * @param isGone whether it isn't on this device, and the server can't send it
 */
export function readState(
  handle: DocHandle<unknown>,
  before: DocumentState | undefined,
  isGone: boolean,
): DocumentState {
  const doc = handle.isReady() ? handle.doc() : null;
  // A document is empty before its first change arrives.
  if (typeof doc === 'object' && doc !== null && 'kind' in doc)
    return before?.doc === doc ? before : { status: 'ready', doc };
  return isGone ? UNAVAILABLE : LOADING;
}

/**
 * Options for every change of a document: without its time, which would tell readers when a user walks or sleeps. The sync server
 * rejects changes with a time in documents that other users read.
 */
export const NO_TIME = { time: 0 };

/** Settles when a document is here. The Repo's own `whenReady` gives up after a minute, too early for a bad signal. */
export function whenHere<T>(handle: DocHandle<T>): Promise<void> {
  if (handle.isReady()) return Promise.resolve();
  // This event comes just before the document is ready.
  return new Promise((resolve) => void handle.once('heads-changed', () => resolve()));
}
