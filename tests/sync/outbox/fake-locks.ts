/** Grants each lock to one holder at a time, in the order of requests, like browsers. A stolen one is given at once. */
export class FakeLocks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(name: string, ...given: unknown[]): Promise<unknown> {
    const work = given.pop() as (lock: object | null) => unknown;
    const { ifAvailable = false, steal = false, signal } = (given.pop() ?? {}) as LockOptions;
    const before = steal ? undefined : this.#held.get(name);
    if (ifAvailable && before) return work(null);
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
    const granted = Promise.race([before ?? Promise.resolve(), aborted]);
    const mine = granted.then(() => work({ name }));
    const held = mine
      .catch(() => null)
      .finally(() => {
        if (this.#held.get(name) === held) this.#held.delete(name);
      });
    this.#held.set(name, held);
    return mine;
  }
}
