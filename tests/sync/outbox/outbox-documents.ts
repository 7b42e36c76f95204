import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import { NO_SYNC, type SyncState } from '../../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';

/**
 * Returns the parts of Ann's documents that an outbox uses, over the IndexedDB that is there.
 * @param onSubscribe receives what tells the outbox that something changed
 */
export const outboxDocuments = (
  syncState: () => Partial<SyncState>,
  onSubscribe: (notify: () => void) => void,
  others: object = {},
): UserDocuments =>
  ({
    userId: 'ann',
    isClosed: false,
    database: openDatabase('ann'),
    subscribe: onSubscribe,
    noteRefusing() {},
    noteUnreadable() {},
    getSyncState: () => ({ ...NO_SYNC, ...syncState() }),
    ...others,
  }) as unknown as UserDocuments;
