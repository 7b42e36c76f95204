/** What can stand in a queue: it knows who stands beside it. */
export interface Queued {
  before: Queued | null;
  behind: Queued | null;
}

/**
 * First in, first out, linked through those who stand in it: a million who go to the end again and again would make a Map
 * copy itself every now and then, and all wait for it.
 */
export class Queue<T extends Queued> {
  #first: T | null = null;
  #last: T | null = null;

  /** To the end; must not be in it. */
  add(item: T): void {
    item.before = this.#last;
    item.behind = null;
    if (this.#last) this.#last.behind = item;
    else this.#first = item;
    this.#last = item;
  }

  /** Takes out what is in it. */
  remove(item: T): void {
    const before = item.before as T | null;
    const behind = item.behind as T | null;
    if (before) before.behind = behind;
    else this.#first = behind;
    if (behind) behind.before = before;
    else this.#last = before;
    item.before = null;
    item.behind = null;
  }

  /** From the first on; nothing may be added or removed meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    for (let item = this.#first; item; item = item.behind as T | null) yield item;
  }
}
