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
