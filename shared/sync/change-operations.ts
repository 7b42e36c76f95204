import { ByteReader, hexOf } from './byte-reader.ts';
import { DEFLATED_COLUMN, readColumns as columnsOf, type Column, type Inflate } from './chunks.ts';
import { HASH_BYTES } from './sync-message.ts';

/** One operation of a change. */
export interface ChangeOperation {
  /** Also of the object that it makes. */
  id: string;
  /** The id of the object in which it is. */
  object: string;
  /** In a map; null in a list or text. */
  key: string | null;
  makes: 'map' | 'list' | 'text' | null;
  /** Whether it may add a key: it sets one. Even where it replaces a value, which others may have deleted meanwhile. */
  setsKey: boolean;
}

/** The id of a document's outermost object. */
export const ROOT = '_root';

const OBJECT_ACTOR = 0x01;
const OBJECT_COUNTER = 0x02;
const KEY = 0x15;
const ID_ACTOR = 0x21;
const ID_COUNTER = 0x23;
const ACTION = 0x42;

const DELETE = 3;
const MADE = new Map<number, ChangeOperation['makes']>([
  [0, 'map'],
  [2, 'list'],
  [4, 'text'],
  [6, 'map'],
]);

/**
 * Reads the operations of a change.
 * @param body decompressed
 */
export function readOperations(body: Uint8Array): ChangeOperation[] {
  const reader = new ByteReader(body);
  reader.skip(reader.count() * HASH_BYTES);
  const readActor = () => hexOf(reader.take(reader.count()));
  const actors = [readActor()];
  reader.skipNumber();
  let counter = reader.count();
  reader.skipNumber();
  reader.skip(reader.count());
  for (let others = reader.count(); others > 0; others--) actors.push(readActor());
  const columns = readData(reader, columnsOf(reader));
  const numbers = (column: number) => new RunReader(columns.get(column), (each) => each.count());
  const objectActors = numbers(OBJECT_ACTOR);
  const objectCounters = numbers(OBJECT_COUNTER);
  const keys = new RunReader(columns.get(KEY), readText);
  const actions = numbers(ACTION);
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
      setsKey: action !== DELETE && key !== null,
    });
  }
  return operations;
}

/**
 * Reads the operations of a whole document, apart from deletions.
 * @param body of its chunk
 */
export function readDocumentOperations(
  body: Uint8Array,
  inflate: Inflate,
): { operations: ChangeOperation[]; actors: number; heads: number } {
  const reader = new ByteReader(body);
  const actors: string[] = [];
  for (let left = reader.count(); left > 0; left--) actors.push(hexOf(reader.take(reader.count())));
  const heads = reader.count();
  reader.skip(heads * HASH_BYTES);
  const changeColumns = columnsOf(reader);
  const operationColumns = columnsOf(reader);
  for (const { length } of changeColumns) reader.skip(length);
  const columns = readData(reader, operationColumns, inflate);
  const numbers = (column: number) => new RunReader(columns.get(column), (each) => each.count());
  const objectActors = numbers(OBJECT_ACTOR);
  const objectCounters = numbers(OBJECT_COUNTER);
  const keys = new RunReader(columns.get(KEY), readText);
  const idActors = numbers(ID_ACTOR);
  const idCounters = new RunReader(columns.get(ID_COUNTER), (each) => each.signedNumber());
  const actions = numbers(ACTION);
  const operations: ChangeOperation[] = [];
  let counter = 0;
  while (!actions.isDone) {
    const action = actions.next();
    const objectActor = objectActors.next();
    const objectCounter = objectCounters.next();
    const key = keys.next();
    counter += idCounters.next() ?? 0;
    const object = objectActor === null ? ROOT : `${objectCounter}@${actors[objectActor]}`;
    operations.push({
      id: `${counter}@${actors[idActors.next() ?? -1]}`,
      object,
      key,
      makes: MADE.get(action ?? -1) ?? null,
      setsKey: key !== null,
    });
  }
  return { operations, actors: actors.length, heads };
}

/** @param inflate where columns may be compressed */
function readData(
  reader: ByteReader,
  columns: readonly Column[],
  inflate?: Inflate,
): Map<number, Uint8Array> {
  return new Map(
    columns.map(({ spec, length }) => {
      const stored = reader.take(length);
      const isDeflated = inflate && (spec & DEFLATED_COLUMN) !== 0;
      return isDeflated ? [spec & ~DEFLATED_COLUMN, inflate(stored, Infinity)] : [spec, stored];
    }),
  );
}

const utf8 = new TextDecoder();
const readText = (reader: ByteReader): string => utf8.decode(reader.take(reader.count()));

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
