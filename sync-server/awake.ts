import type { Content } from './content.ts';
import { AWAKE_MAX, REST_AFTER_MS } from './limits.ts';

/** How long documents are laid to rest at a stretch, and when that goes on. */
const SLICE_MS = 4;
const PAUSE_MS = 20;

/** What of the open documents does not rest: those used last, and a number of others. */
export class Awake {
  /** When each was used last, the longest ago first. */
  readonly #usedAt = new Map<Content, number>();
  #willLook = false;

  used(content: Content): void {
    this.#usedAt.delete(content);
    this.#usedAt.set(content, performance.now());
    if (this.#usedAt.size > AWAKE_MAX) this.#lookIn(REST_AFTER_MS);
  }

  gone(content: Content): void {
    this.#usedAt.delete(content);
  }

  #lookIn(ms: number): void {
    if (this.#willLook) return;
    this.#willLook = true;
    setTimeout(this.#look, ms).unref();
  }

  readonly #look = (): void => {
    this.#willLook = false;
    const started = performance.now();
    for (const [content, usedAt] of this.#usedAt) {
      if (this.#usedAt.size <= AWAKE_MAX) return;
      const now = performance.now();
      if (now - usedAt < REST_AFTER_MS) return this.#lookIn(usedAt + REST_AFTER_MS - now);
      if (now - started > SLICE_MS) return this.#lookIn(PAUSE_MS);
      this.#usedAt.delete(content);
      // It may rest the next time.
      if (!content.rest()) this.#usedAt.set(content, now);
    }
  };
}
