/** Grants each lock to one holder at a time, in the order of requests, like browsers. */
export class FakeLocks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(name: string, ...given: unknown[]): Promise<unknown> {
    const work = given.pop() as (lock: object | null) => unknown;
    const { ifAvailable = false } = (given.pop() ?? {}) as LockOptions;
    const before = this.#held.get(name);
    if (ifAvailable && before) return work(null);
    const mine = (before ?? Promise.resolve()).then(() => work({ name }));
    const held = mine
      .catch(() => null)
      .finally(() => {
        if (this.#held.get(name) === held) this.#held.delete(name);
      });
    this.#held.set(name, held);
    return mine;
  }
}
