import { isValidAutomergeUrl, type Repo } from '@automerge/automerge-repo/slim';
import { z } from 'zod';
import { readCache, writeCache } from '../../local-cache.ts';
import type { ChunkStorage } from './chunk-storage.ts';

const urls = z.array(z.string());
const NAME = 'removed-documents';
const idOf = (url: string): string => url.replace('automerge:', '');

/**
 * Documents that go from this device for good. The Repo brings one back when a message about it is still on its way, or
 * a save: so both are told to leave alone what is gone. And it is cut off when the app is killed: so what
 * goes stays noted until it is off the disk, and the next start removes the rest.
 */
export class Removals {
  private readonly userId: string;
  private readonly repo: Repo;
  private readonly storage: ChunkStorage | null;
  private readonly gone: Set<string>;
  private readonly noted: Set<string>;
  private isClosed = false;

  /** @param gone which the Repo and the storage look at; what is removed is added to it here */
  constructor(userId: string, repo: Repo, storage: ChunkStorage | null, gone: Set<string>) {
    this.userId = userId;
    this.repo = repo;
    this.storage = storage;
    this.gone = gone;
    this.noted = new Set(readCache(urls, userId, NAME) ?? []);
    for (const url of this.noted) {
      gone.add(idOf(url));
      void this.clear(url);
    }
  }

  remove(url: string): void {
    if (!isValidAutomergeUrl(url) || this.gone.has(idOf(url))) return;
    this.gone.add(idOf(url));
    this.noted.add(url);
    this.keep();
    // A message that the Repo is in the midst of taking in must still find the document: it throws where there is none.
    setTimeout(() => {
      if (!this.isClosed && this.gone.has(idOf(url))) this.repo.delete(url);
    });
    void this.clear(url);
  }

  /** A document that is wanted again. */
  cancel(url: string): void {
    this.gone.delete(idOf(url));
    if (this.noted.delete(url)) this.keep();
  }

  /** What is not done by now the next start does: storage that is closed removes nothing any more. */
  close(): void {
    this.isClosed = true;
  }

  private async clear(url: string): Promise<void> {
    const isOffTheDisk = await this.storage?.forget(idOf(url));
    if (isOffTheDisk && !this.isClosed && this.noted.delete(url)) this.keep();
  }

  private keep(): void {
    writeCache(this.userId, NAME, this.noted.size > 0 ? [...this.noted] : null);
  }
}
