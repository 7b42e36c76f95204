import { vi } from 'vitest';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import {
  UploadOutbox,
  type PicturePlace,
  type SentFile,
  type StoredPicture,
} from '../../../client/platform/sync/outbox/upload-outbox.ts';
import type { SyncState } from '../../../client/platform/sync/state/document-state.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { FakeLocks } from './fake-locks.ts';
import { outboxDocuments } from './outbox-documents.ts';

/** A server with one picture in a document, and what tabs know of it. */
export class PictureServer {
  answers = new Map<string, string>();
  imageKey: string | null = null;
  uploads: string[] = [];
  /** Whether uploads get into the document. */
  isNoting = true;
  /** Uploads wait for it. */
  gate: Promise<void> = Promise.resolve();
  connection: SyncState['connection'] = 'offline';
  isConfirmed = true;
  /** What the documents of all tabs say; null for what the server has. */
  place: PicturePlace | null = null;

  constructor() {
    freshIndexedDb();
    vi.stubGlobal('navigator', { locks: new FakeLocks() });
    vi.spyOn(console, 'error').mockReturnValue();
  }

  /** @returns what lets the uploads go on */
  hold(): () => void {
    let open = () => {};
    this.gate = new Promise((resolve) => (open = resolve));
    return () => open();
  }

  openTab(): PictureTab {
    return new PictureTab(this);
  }

  /** The tabs get a connection, and send what they have. */
  async connect(...tabs: PictureTab[]): Promise<void> {
    this.connection = 'connected';
    await Promise.all(tabs.map((tab) => tab.look()));
    await Promise.all(tabs.map((tab) => tab.look()));
  }

  async upload(idempotencyKey: string, bytes: string, signal: AbortSignal): Promise<string> {
    await Promise.race([
      this.gate,
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ]);
    const key = this.answers.get(idempotencyKey) ?? `K${this.answers.size + 1} ${bytes}`;
    if (this.isNoting && !this.answers.has(idempotencyKey)) this.imageKey = key;
    this.answers.set(idempotencyKey, key);
    return key;
  }
}

class Pictures extends UploadOutbox {
  readonly #server: PictureServer;
  failureOf: (id: string) => Error | null = () => null;

  constructor(documents: UserDocuments, server: PictureServer) {
    super(documents, 'pictures', 'Failed to upload');
    this.#server = server;
  }

  add = (id: string, bytes = 'jpeg') => this.keep(id, new Blob([bytes]), {});

  protected placeOf(): PicturePlace {
    return this.#server.place ?? { imageKey: this.#server.imageKey, isOnServer: true };
  }

  protected async upload(
    id: string,
    { idempotencyKey }: StoredPicture,
    { file, signal }: SentFile,
  ): Promise<string> {
    const failure = this.failureOf(id);
    if (failure) throw failure;
    const bytes = await file.text();
    this.#server.uploads.push(`${id} ${bytes}`);
    return this.#server.upload(idempotencyKey, bytes, signal);
  }
}

/** The pictures of one tab of Ann. */
export class PictureTab {
  readonly pictures: Pictures;
  #notify = () => {};

  constructor(server: PictureServer) {
    const documents = outboxDocuments(
      () => ({
        connection: server.connection,
        isConfirmed: server.isConfirmed,
        isCompared: server.isConfirmed,
      }),
      (notify) => (this.#notify = notify),
    );
    this.pictures = new Pictures(documents, server);
  }

  /** Tells it that the documents, or the connection, changed. */
  async look(): Promise<void> {
    this.#notify();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
