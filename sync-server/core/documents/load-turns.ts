/** How long documents are loaded at a stretch, before messages are handled. Loading one document is not interrupted. */
const SLICE_MS = 8;

/** On whose behalf a document is loaded. */
export interface LoadedFor {
  userId: string;
  /** Receives the milliseconds that it kept the process busy. */
  charge(ms: number): void;
}

/** For the servers themselves: they are one more user, whom nobody charges. */
export const SERVERS: LoadedFor = { userId: '', charge() {} };

/**
 * Who loads documents next, when several users do: whoever had the least time since they began to wait. However heavy the documents of one
 * user are, each other one waits for at most one of them.
 */
export class LoadTurns {
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Milliseconds by user, while anybody waits. */
  readonly #used = new Map<string, number>();
  /** What the user who had the least had when they were last served: nobody who comes later begins below it. */
  #least = 0;
  #isScheduled = false;

  /** Runs a synchronous piece of work when it is the user's turn. */
  run<T>(userId: string, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const piece = () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      const waiting = this.#waiting.get(userId);
      if (waiting) waiting.push(piece);
      else {
        this.#waiting.set(userId, [piece]);
        this.#used.set(userId, Math.max(this.#used.get(userId) ?? 0, this.#least));
      }
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#runSlice);
  }

  readonly #runSlice = (): void => {
    this.#isScheduled = false;
    const startedAt = performance.now();
    let now = startedAt;
    while (this.#waiting.size > 0) {
      if (now - startedAt > SLICE_MS) return this.#schedule();
      const userId = this.#next();
      const waiting = this.#waiting.get(userId)!;
      const piece = waiting.shift()!;
      if (waiting.length === 0) this.#waiting.delete(userId);
      this.#least = this.#used.get(userId)!;
      piece();
      const ended = performance.now();
      this.#used.set(userId, this.#least + ended - now);
      now = ended;
    }
    this.#used.clear();
    this.#least = 0;
  };

  #next(): string {
    let [next] = this.#waiting.keys();
    for (const userId of this.#waiting.keys())
      if (this.#used.get(userId)! < this.#used.get(next!)!) next = userId;
    return next!;
  }
}
