import * as A from '@automerge/automerge/slim';
import type { AutomergeUrl, DocHandle, Repo } from '@automerge/automerge-repo/slim';
import type { CurrentUser } from '#shared/session/contract.ts';
import type { RestoredChanges } from './restore-unsent.ts';
import { whenHere } from './when-loaded.ts';

/** Puts what an earlier session left unsent into its documents, each as soon as it is on this device again. */
export class RestoredDocuments {
  private readonly repo: Repo;
  private readonly changes: RestoredChanges;
  private readonly saving = new Set<string>();
  private isClosed = false;

  /** @param own documents that are open anyway; `apply` is called for them */
  constructor(repo: Repo, changes: RestoredChanges, own: CurrentUser['documents']) {
    this.repo = repo;
    this.changes = changes;
    this.open(Object.values(own));
  }

  /** Fetches segments of threads for what waits for them, whether or not a screen shows them. */
  private open(own: readonly string[]): void {
    for (const documentId of this.changes.documentIds) {
      const url = `automerge:${documentId}`;
      if (own.includes(url)) continue;
      const { handle } = this.repo.findWithProgress<unknown>(url as AutomergeUrl);
      const apply = () => queueMicrotask(() => this.apply(handle));
      handle.on('heads-changed', apply);
      void whenHere(handle).then(apply);
    }
  }

  /** To be called before anybody sees a document that came or changed. May be repeated. */
  apply(handle: DocHandle<unknown>): void {
    const { documentId } = handle;
    if (this.isClosed || this.saving.has(documentId) || !handle.isReady()) return;
    const waiting = this.changes.of(documentId);
    if (waiting.length === 0) return;
    this.saving.add(documentId);
    handle.update((doc) => waiting.reduce((all, bytes) => A.loadIncremental(all, bytes), doc));
    // What they build on may still be on its way: until it is here they are only in memory.
    if (A.getMissingDeps(handle.doc(), []).length > 0) return void this.saving.delete(documentId);
    this.repo
      .flush([documentId])
      .then(() => this.changes.done(documentId))
      .catch((error: unknown) => {
        this.saving.delete(documentId);
        console.error('Failed to restore unsent changes', error);
      });
  }

  close(): void {
    this.isClosed = true;
  }
}
