/** What an author may use up in the first pass; a message counts 1. */
const FIRST_TURN = 100;

/**
 * Shares work among authors: an author who has used up a turn waits for the next pass. Turns get longer with each pass, so that the
 * thousands of messages that one author may write need few passes.
 */
export class Turns {
  /** Whether there must be another pass. */
  isAnyoneWaiting = false;
  #length = FIRST_TURN / 2;
  #used = new Map<string, number>();

  /** Begins a pass. */
  begin(): void {
    this.isAnyoneWaiting = false;
    this.#length *= 2;
    this.#used = new Map();
  }

  /** Uses up a part of an author’s turn. @returns false if the author has to wait */
  take(author: string, cost = 1): boolean {
    const used = this.#used.get(author) ?? 0;
    if (used >= this.#length) {
      this.isAnyoneWaiting = true;
      return false;
    }
    this.#used.set(author, used + cost);
    return true;
  }

  /** Ends an author’s turn. */
  end(author: string): void {
    this.#used.set(author, Infinity);
  }
}
