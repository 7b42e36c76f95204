import type { DocHandle } from '@automerge/automerge-repo/slim';
import type { Connection } from '../connection/server-connection.ts';

export interface SyncState {
  connection: Connection;
  /** Whether the server's disk has everything that is here, and everything it has is here. */
  isConfirmed: boolean;
  /** Changes that the server's disk is not known to have. */
  unconfirmed: number;
  /** Where edits are kept: on this device, in memory until the browser lets us, or in memory for good. */
  storage: 'device' | 'refusing' | 'memory';
}

export type DocumentStatus = 'loading' | 'ready' | 'unavailable';

export interface DocumentState {
  status: DocumentStatus;
  /** Untrusted: read it through its kind's `read`. */
  doc: unknown;
}

/**
 * For every change of a document: it does not say when it was made, or readers would learn when somebody walks, or sleeps. The sync
 * server refuses others in what is read by others.
 */
export const NO_TIME = { time: 0 };

/** Settles when a document is here, however late: the Repo's own `whenReady` gives up after a minute, which a bad signal outlasts. */
export function whenHere<T>(handle: DocHandle<T>): Promise<void> {
  if (handle.isReady()) return Promise.resolve();
  // It says what came just before it is ready.
  return new Promise((resolve) => void handle.once('heads-changed', () => resolve()));
}
