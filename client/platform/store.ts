/** Base class for objects with subscribers; components read them with `useSyncExternalStore`. */
export class Store<Args extends unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>();

  /** @returns how to unsubscribe */
  readonly subscribe = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly notify = (...args: Args): void => {
    for (const listener of this.#listeners) listener(...args);
  };
}

/** A store of one value. */
export class ValueStore<T> extends Store {
  #value: T;

  constructor(value: T) {
    super();
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly set = (value: T): void => {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.notify();
  };
}
