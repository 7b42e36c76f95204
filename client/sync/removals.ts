import { isValidAutomergeUrl, type DocumentId, type Repo } from '@automerge/automerge-repo/slim';
import { z } from 'zod';
import { readKept, writeKept } from '../kept.ts';

const urls = z.array(z.string());
const NAME = 'removed-documents';
/** Longer than a save takes that was under way when its document was removed. */
const SETTLED_MS = 1_000;

/**
 * Documents that go from this device for good. The Repo's own removal is overtaken by a save that was under way, and cut
 * off when the app is killed: so they stay noted until they were removed once more after that.
 */
export class Removals {
  private readonly userId: string;
  private readonly repo: Repo;
  private readonly noted: Set<string>;
  private isClosed = false;

  constructor(userId: string, repo: Repo) {
    this.userId = userId;
    this.repo = repo;
    this.noted = new Set(readKept(urls, userId, NAME) ?? []);
    for (const url of this.noted) void this.finish(url);
  }

  remove(url: string): void {
    if (!isValidAutomergeUrl(url) || this.noted.has(url)) return;
    this.noted.add(url);
    this.keep();
    this.repo.delete(url);
    setTimeout(() => void this.finish(url), SETTLED_MS);
  }

  /** A document that is wanted again. */
  cancel(url: string): void {
    if (this.noted.delete(url)) this.keep();
  }

  /** What is not done by now the next start does: storage that is closed removes nothing any more. */
  close(): void {
    this.isClosed = true;
  }

  private async finish(url: string): Promise<void> {
    if (this.isClosed || !this.noted.has(url)) return;
    try {
      await this.repo.storageSubsystem?.removeDoc(url.replace('automerge:', '') as DocumentId);
      if (!this.isClosed) this.cancel(url);
    } catch (error) {
      console.warn('A document is still on this device: the next start removes it', error);
    }
  }

  private keep(): void {
    writeKept(this.userId, NAME, this.noted.size > 0 ? [...this.noted] : null);
  }
}
