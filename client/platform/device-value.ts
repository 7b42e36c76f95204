import type { z } from 'zod';
import { readCache, writeCache } from './local-cache.ts';
import { Store } from './store.ts';

/** A value that each user has on this device, in any tab of the browser. */
export class DeviceValue<T> extends Store {
  readonly #name: string;
  readonly #schema: z.ZodType<T>;
  /** Only where the browser stores nothing. */
  readonly #unstored = new Map<string, string>();

  /** @param name of the entry in the cache */
  constructor(name: string, schema: z.ZodType<T>) {
    super();
    this.#name = name;
    this.#schema = schema;
  }

  /** Returns a user's value as JSON, which stays the same until it changes; 'null' if there is none. */
  text(userId: string): string {
    return (
      this.#unstored.get(userId) ?? JSON.stringify(readCache(this.#schema, userId, this.#name))
    );
  }

  /** @param value null removes it */
  set(userId: string, value: T | null): void {
    const text = JSON.stringify(value);
    this.#unstored.delete(userId);
    writeCache(userId, this.#name, value);
    if (this.text(userId) !== text) this.#unstored.set(userId, text);
    this.notify();
  }

  /** Follows this tab and the other tabs. @returns how to unsubscribe */
  readonly follow = (listener: () => void): (() => void) => {
    const unsubscribe = this.subscribe(listener);
    const onStorage = ({ key }: StorageEvent) =>
      (key === null || key.endsWith(this.#name)) && listener();
    addEventListener('storage', onStorage);
    return () => {
      unsubscribe();
      removeEventListener('storage', onStorage);
    };
  };
}
