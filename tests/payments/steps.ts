import type { Collection, Db, Document } from 'mongodb';
import { replacing } from '../services.ts';

/** Runs a job in steps. Each step waits until `advance` is called. */
export class Actor {
  #gate: (() => void) | null = null;
  #turned: () => void = () => {};
  readonly #stepsLeft: number;
  #steps = 0;
  isDone = false;
  result: unknown = null;

  /** @param stepsLeft the number of steps before its process is killed */
  constructor(stepsLeft = Infinity) {
    this.#stepsLeft = stepsLeft;
  }

  /** Waits for the next step. */
  readonly step = (): Promise<void> =>
    new Promise((go) => {
      this.#gate = go;
      this.#turned();
    });

  /** Starts the job and resolves at its first wait. */
  async begin(run: () => Promise<unknown>): Promise<void> {
    const turned = this.#nextTurn();
    const end = (result: unknown) => {
      this.isDone = true;
      this.result = result;
      this.#turned();
    };
    run().then(end, end);
    await turned;
  }

  /** Runs one step and resolves when the job waits again, ends or is killed. */
  async advance(): Promise<void> {
    if (this.isDone) return;
    if (this.#steps++ >= this.#stepsLeft) {
      this.isDone = true;
      this.result = 'killed';
      return;
    }
    const turned = this.#nextTurn();
    const gate = this.#gate;
    this.#gate = null;
    gate?.();
    await turned;
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#turned = resolve;
    });
  }
}

/** The same collection with each operation as a step, before which the process may die or another may run. */
function stepping<T extends Document>(
  collection: Collection<T>,
  step: () => Promise<void>,
): Collection<T> {
  const wrap = (target: object, names: readonly string[]): object =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name, of);
        if (typeof value !== 'function') return value;
        const method = value.bind(of) as (...args: unknown[]) => unknown;
        if (name === 'find')
          return (...args: unknown[]) => wrap(method(...args) as object, ['toArray']);
        if (!names.includes(String(name))) return method;
        return async (...args: unknown[]) => {
          await step();
          return method(...args);
        };
      },
    });
  return wrap(collection, [
    'findOne',
    'findOneAndUpdate',
    'insertOne',
    'updateOne',
    'updateMany',
    'deleteMany',
    'countDocuments',
    'distinct',
  ]) as Collection<T>;
}

/** The same database, but each operation on these collections is a step. */
export const steppingThrough = (db: Db, names: string[], step: () => Promise<void>): Db =>
  replacing(db, (collection) =>
    names.includes(collection.collectionName) ? stepping(collection, step) : collection,
  );
