/** How long work is done at a stretch, before messages are received. A piece of work is not interrupted. */
const SLICE_MS = 8;
/** What a user may have done at once while messages are received, before they take turns with others. */
const AT_ONCE_MS = 2;

/** On whose behalf a document is loaded or changed. */
export interface WorkFor {
  userId: string;
  /** Receives the milliseconds that it kept the process busy. */
  charge(ms: number): void;
}

/** For the servers themselves: they are one more user, whom nobody charges. */
export const SERVERS: WorkFor = { userId: '', charge() {} };

/**
 * Whose work is done next, when several users wait: of whoever had the least time since they began to wait (decision 355). However much one
 * user sends over however many sockets, each other one waits for at most one piece of it.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Milliseconds by user, while anybody waits. */
  readonly #used = new Map<string, number>();
  /** Milliseconds by user of work that was done at once in this round of the event loop. */
  readonly #atOnce = new Map<string, number>();
  /** What the user who had the least had when they were last served: nobody who comes later begins below it. */
  #least = 0;
  #isScheduled = false;

  /** Runs a synchronous piece of work when it is the user's turn. */
  run<T>(userId: string, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#add(userId, () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /**
   * Runs a piece of work at once, unless the user had much done in this round of the event loop, or waits already: then when it is their
   * turn. The work of a user keeps its order.
   * @param work must not throw
   * @returns whether it was done
   */
  runSoon(userId: string, work: () => void): boolean {
    const before = this.#atOnce.get(userId) ?? 0;
    if (before >= AT_ONCE_MS || this.#waiting.has(userId)) {
      this.#add(userId, work);
      return false;
    }
    if (this.#atOnce.size === 0) setImmediate(() => this.#atOnce.clear());
    const startedAt = performance.now();
    work();
    this.#atOnce.set(userId, before + performance.now() - startedAt);
    return true;
  }

  #add(userId: string, piece: () => void): void {
    const waiting = this.#waiting.get(userId);
    if (waiting) waiting.push(piece);
    else {
      this.#waiting.set(userId, [piece]);
      this.#used.set(userId, Math.max(this.#used.get(userId) ?? 0, this.#least));
    }
    this.#schedule();
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
      this.#waiting.delete(userId);
      // Behind those who were not served yet.
      if (waiting.length > 0) this.#waiting.set(userId, waiting);
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
    let next: string | null = null;
    for (const userId of this.#waiting.keys()) {
      const used = this.#used.get(userId)!;
      // Nobody has less.
      if (used <= this.#least) return userId;
      if (next === null || used < this.#used.get(next)!) next = userId;
    }
    return next!;
  }
}

/** Orders items so that users take turns. Those of a user keep their order. */
export function byTurns<T>(items: readonly T[], userOf: (item: T) => string): T[] {
  const seen = new Map<string, number>();
  const rounds: T[][] = [];
  for (const item of items) {
    const userId = userOf(item);
    const round = seen.get(userId) ?? 0;
    seen.set(userId, round + 1);
    (rounds[round] ??= []).push(item);
  }
  return rounds.flat();
}
