import { EVICT_AFTER_MS, LOADED_MAX } from '../limits.ts';
import type { DocumentContent } from './document-content.ts';

/** How long documents are evicted at a stretch, and the pause until the next stretch. */
const SLICE_MS = 4;
const PAUSE_MS = 20;

/** Serializes documents that were not used for a while, when too many are loaded. */
export class DocumentEviction {
  /** When each was last used, least recently used first. */
  readonly #usedAt = new Map<DocumentContent, number>();
  #isScheduled = false;

  used(content: DocumentContent): void {
    this.#usedAt.delete(content);
    this.#usedAt.set(content, performance.now());
    if (this.#usedAt.size > LOADED_MAX) this.#schedule(EVICT_AFTER_MS);
  }

  removed(content: DocumentContent): void {
    this.#usedAt.delete(content);
  }

  #schedule(ms: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(this.#evict, ms).unref();
  }

  readonly #evict = (): void => {
    this.#isScheduled = false;
    const started = performance.now();
    for (const [content, usedAt] of this.#usedAt) {
      if (this.#usedAt.size <= LOADED_MAX) return;
      const now = performance.now();
      if (now - usedAt < EVICT_AFTER_MS) return this.#schedule(usedAt + EVICT_AFTER_MS - now);
      if (now - started > SLICE_MS) return this.#schedule(PAUSE_MS);
      this.#usedAt.delete(content);
      // A document that cannot be evicted now is tried again later.
      if (!content.evict()) this.#usedAt.set(content, now);
    }
  };
}
