import { Repo } from '@automerge/automerge-repo';
import { attachmentsOf } from '../../../client/features/chat/attachments/attachment-outbox.ts';
import { Numbering } from '../../../client/features/chat/thread/numbering.ts';
import { OpenThread } from '../../../client/features/chat/thread/open-thread.ts';
import { SegmentIntents } from '../../../client/features/chat/thread/segment-intents.ts';
import type { ThreadLimits } from '../../../client/features/chat/types.ts';
import {
  Confirmations,
  ConfirmedHeads,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { NO_SYNC, type SyncState } from '../../../client/platform/sync/state/document-state.ts';
import { DocumentRemovals } from '../../../client/platform/sync/storage/document-removals.ts';
import { outboxDocuments } from '../../sync/outbox/outbox-documents.ts';
import { noTabs } from '../device.ts';
import { segmentOn } from '../segments.ts';

export const LIMITS: ThreadLimits = {
  isFrozen: false,
  hidden: new Set(),
  withdrawn: new Set(),
  edits: new Map(),
};

/** A device's thread with one segment of each friend, and its outbox of photos. */
export class PhotoThread {
  readonly repo = new Repo();
  readonly mine = segmentOn(this.repo, 0);
  readonly known = {
    friend_user_id: 'bob',
    thread_id: 't',
    segments: [{ number: 1, mine: this.mine, theirs: segmentOn(this.repo, 0) }],
    waiting: [],
  };
  readonly heads = new ConfirmedHeads(null);
  readonly photos: ReturnType<typeof attachmentsOf>;
  thread!: OpenThread;
  #connection = NO_SYNC.connection;
  #notify = () => {};

  constructor() {
    const documents = outboxDocuments(
      () => ({ connection: this.#connection }),
      (notify) => (this.#notify = notify),
      {
        getDocument: () => ({ status: 'ready', doc: null }),
        part: () => ({ get: () => this.thread }),
      },
    );
    this.photos = attachmentsOf(documents);
  }

  /** Opens the thread, as a start of the app does. */
  async open(): Promise<void> {
    const journal = new Journal({
      database: Promise.resolve(null),
      isClosed: false,
      noteRefusing() {},
      noteUnreadable() {},
    });
    this.thread = new OpenThread(this.known, LIMITS, new Numbering(), {
      repo: this.repo,
      removals: new DocumentRemovals('ann', this.repo, null, new Set()),
      confirmations: new Confirmations(this.heads, () => {}),
      tabs: noTabs as never,
      readStored: async () => null,
      intents: new SegmentIntents(journal, 't'),
      onChange: () => {},
    });
    await this.thread.whenSettled();
  }

  /** Tells the outbox that the documents, or the connection, changed. */
  changed(connection: SyncState['connection'] = this.#connection): void {
    this.#connection = connection;
    this.#notify();
  }
}
