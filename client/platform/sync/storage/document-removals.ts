import { isValidAutomergeUrl, type Repo } from '@automerge/automerge-repo/slim';
import { z } from 'zod';
import { readCache, writeCache } from '../../local-cache.ts';
import type { ChunkStorage } from './chunk-storage.ts';

const urls = z.array(z.string());
const NAME = 'removed-documents';
const idOf = (url: string): string => url.replace('automerge:', '');

/** Returns the documents whose removal from this device is not finished. */
export const unfinishedRemovals = (userId: string): readonly string[] =>
  readCache(urls, userId, NAME) ?? [];

/**
 * Removes documents from this device. The Repo would bring one back with a pending message or save, so it and the storage ignore
 * `removedIds`. A removal is recorded until it is done, and the next start finishes it after the app was killed.
 */
export class DocumentRemovals {
  readonly #userId: string;
  readonly #repo: Repo;
  readonly #chunks: ChunkStorage | null;
  readonly #removedIds: Set<string>;
  readonly #pending: Set<string>;
  #isClosed = false;

  /** @param removedIds shared with the Repo and the storage; removals are added to it */
  constructor(userId: string, repo: Repo, storage: ChunkStorage | null, removedIds: Set<string>) {
    this.#userId = userId;
    this.#repo = repo;
    this.#chunks = storage;
    this.#removedIds = removedIds;
    this.#pending = new Set(unfinishedRemovals(userId));
    for (const url of this.#pending) {
      removedIds.add(idOf(url));
      void this.#clear(url);
    }
  }

  remove(url: string): void {
    if (!isValidAutomergeUrl(url) || this.#removedIds.has(idOf(url))) return;
    this.#removedIds.add(idOf(url));
    this.#pending.add(url);
    this.#store();
    // A message that the Repo is processing must still find the document, or the Repo throws.
    setTimeout(() => {
      if (!this.#isClosed && this.#removedIds.has(idOf(url))) this.#repo.delete(url);
    });
    void this.#clear(url);
  }

  /** Whether a document was removed since the start, or its removal goes on. */
  has(url: string): boolean {
    return this.#removedIds.has(idOf(url));
  }

  /** Cancels the removal of a document that is needed again. */
  cancel(url: string): void {
    this.#removedIds.delete(idOf(url));
    if (this.#pending.delete(url)) this.#store();
  }

  /** Leaves unfinished removals to the next start: closed storage removes nothing. */
  close(): void {
    this.#isClosed = true;
  }

  async #clear(url: string): Promise<void> {
    const isOffTheDisk = await this.#chunks?.forget(idOf(url));
    if (isOffTheDisk && !this.#isClosed && this.#pending.delete(url)) this.#store();
  }

  #store(): void {
    writeCache(this.#userId, NAME, this.#pending.size > 0 ? [...this.#pending] : null);
  }
}
