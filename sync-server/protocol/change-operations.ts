import { ByteReader } from './sync-message.ts';

/** One operation of a change. */
export interface ChangeOperation {
  /** Also of the object that it makes. */
  id: string;
  /** The id of the object in which it is. */
  object: string;
  /** In a map; null in a list or text. */
  key: string | null;
  makes: 'map' | 'list' | 'text' | null;
  /** Whether it may add a key: it sets one without replacing a value. */
  isAddition: boolean;
}

/** The id of a document's outermost object. */
export const ROOT = '_root';

const OBJECT_ACTOR = 0x01;
const OBJECT_COUNTER = 0x02;
const KEY = 0x15;
const ACTION = 0x42;
const REPLACED_COUNT = 0x70;

const DELETE = 3;
const MADE = new Map<number, ChangeOperation['makes']>([
  [0, 'map'],
  [2, 'list'],
  [4, 'text'],
  [6, 'map'],
]);
const HASH_BYTES = 32;

/**
 * Reads the operations of a change that Automerge has written.
 * @param body decompressed
 */
export function readOperations(body: Uint8Array): ChangeOperation[] {
  const reader = new ByteReader(body);
  reader.skip(reader.count() * HASH_BYTES);
  const readActor = () => Buffer.from(reader.take(reader.count())).toString('hex');
  const actors = [readActor()];
  reader.skipNumber();
  let counter = reader.count();
  reader.skipNumber();
  reader.skip(reader.count());
  for (let others = reader.count(); others > 0; others--) actors.push(readActor());
  const columns = readColumns(reader);
  const numbers = (column: number) => new RunReader(columns.get(column), (each) => each.count());
  const objectActors = numbers(OBJECT_ACTOR);
  const objectCounters = numbers(OBJECT_COUNTER);
  const keys = new RunReader(columns.get(KEY), readText);
  const actions = numbers(ACTION);
  const replaced = numbers(REPLACED_COUNT);
  const operations: ChangeOperation[] = [];
  while (!actions.isDone) {
    const action = actions.next();
    const objectActor = objectActors.next();
    const objectCounter = objectCounters.next();
    const key = keys.next();
    operations.push({
      id: `${counter++}@${actors[0]}`,
      object: objectActor === null ? ROOT : `${objectCounter}@${actors[objectActor]}`,
      key,
      makes: MADE.get(action ?? -1) ?? null,
      isAddition: (replaced.next() ?? 0) === 0 && action !== DELETE && key !== null,
    });
  }
  return operations;
}

function readColumns(reader: ByteReader): Map<number, Uint8Array> {
  const sizes: [column: number, length: number][] = [];
  for (let count = reader.count(); count > 0; count--) sizes.push([reader.count(), reader.count()]);
  return new Map(sizes.map(([column, length]) => [column, reader.take(length)]));
}

const readText = (reader: ByteReader): string =>
  Buffer.from(reader.take(reader.count())).toString();

/** Reads the values of a run-length encoded column one after the other. */
class RunReader<T> {
  readonly #reader: ByteReader;
  readonly #read: (reader: ByteReader) => T;
  #left = 0;
  #isRepeated = true;
  #value: T | null = null;

  constructor(column: Uint8Array | undefined, read: (reader: ByteReader) => T) {
    this.#reader = new ByteReader(column ?? new Uint8Array());
    this.#read = read;
  }

  get isDone(): boolean {
    return this.#left === 0 && this.#reader.done;
  }

  /** Returns null for an empty value and after the last one. */
  next(): T | null {
    if (this.isDone) return null;
    if (this.#left === 0) this.#startRun();
    this.#left--;
    return this.#isRepeated ? this.#value : this.#read(this.#reader);
  }

  #startRun(): void {
    const run = this.#reader.signedCount();
    this.#isRepeated = run >= 0;
    this.#value = run > 0 ? this.#read(this.#reader) : null;
    this.#left = run === 0 ? this.#reader.count() : Math.abs(run);
  }
}
