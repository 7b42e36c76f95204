import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ImmutableString } from '@automerge/automerge/slim';
import { COMPRESS_MAX_BYTES } from '../limits.ts';

/**
 * Automerge's WebAssembly objects, without the JavaScript copies of its public API. Only this file uses modules that the
 * package does not export; the version is pinned, and tests/sync/server/automerge-core.unit.test.ts fails if they change.
 */
export interface CoreDocument {
  /** Applies single changes; faster than `loadIncremental`. */
  applyChanges(changes: Uint8Array[]): void;
  /** Applies chunks in any order; changes whose dependencies are missing wait. */
  loadIncremental(chunks: Uint8Array): number;
  /** Hashes in hexadecimal, sorted. */
  getHeads(): string[];
  getChanges(sinceHeads: readonly string[]): Uint8Array[];
  getChangeByHash(hash: string): Uint8Array | null;
  /** Returns hashes that waiting changes depend on. */
  getMissingDeps(heads: string[]): string[];
  save(): Uint8Array;
  saveNoCompress(): Uint8Array;
  saveSince(heads: string[]): Uint8Array;
  generateSyncMessage(state: CoreSyncState): Uint8Array | null;
  receiveSyncMessage(state: CoreSyncState, message: Uint8Array): void;
  /** Returns the plain value, with texts as strings. */
  materialize(path: string): unknown;
  /** Returns a value of the root, or undefined. */
  get(object: '/', key: string): unknown;
  /** Returns the type and the value; for an object, its id. @param object its id, or `/` for the root */
  getWithType(object: string, key: string): [type: string, value: unknown] | null;
  /** Returns where an object is, without a path if it is not visible. @throws when there is no such object */
  objInfo(object: string): { type: 'map' | 'list' | 'text'; path?: (string | number)[] };
  /** Returns how many keys a map has. */
  length(object: string): number;
  keys(object: string): string[];
  /** Returns the text of a collaborative text. */
  text(object: string): string;
  /** Returns a copy that makes its changes as this actor, as it is or as it was at these heads; the caller frees it. */
  fork(actor?: string, heads?: readonly string[]): CoreDocument;
  /** Makes a change without operations, which depends on all heads. */
  emptyChange(message: null, time: number): string;
  /** How many operations the next `commit` will have. */
  pendingOps(): number;
  commit(message: null, time: number): string | null;
  getLastLocalChange(): Uint8Array | undefined;
  /** Has values of a type read as, and written from, objects of a class. */
  registerDatatype(
    type: 'str',
    read: (value: string) => ImmutableString,
    write: (value: unknown) => string | undefined,
  ): void;
  /** Returns the hashes of all changes, each after those that it depends on. */
  topoHistoryTraversal(): string[];
  stats(): { numChanges: number; numOps: number; numActors: number };
  free(): void;
}

export interface CoreSyncState {
  free(): void;
}

interface Core {
  create(): CoreDocument;
  load(saved: Uint8Array, options: Record<string, never>): CoreDocument;
  initSyncState(): CoreSyncState;
}

/** Above this many changes, the whole document may be smaller. */
const SINGLE_CHANGES_MAX = 20;

const require = createRequire(import.meta.url);
const dist = dirname(dirname(require.resolve('@automerge/automerge')));
const core = require(join(dist, 'mjs/wasm_bindgen_output/nodejs/automerge_wasm.cjs')) as Core;
const { rootProxy } = (await import(pathToFileURL(join(dist, 'mjs/proxies.js')).href)) as {
  rootProxy(document: CoreDocument): unknown;
};

/** Loads a document; the caller frees it. @throws when the bytes are not a saved document */
export const loadCore = (saved: Uint8Array): CoreDocument => core.load(saved, {});

/**
 * Saves a document, compressed unless that would block the event loop.
 * @param bytes its uncompressed size
 * @param compressedMaxBytes the size up to which it is compressed
 */
export const saveCore = (
  document: CoreDocument,
  bytes: number,
  compressedMaxBytes = COMPRESS_MAX_BYTES,
): Uint8Array => (bytes > compressedMaxBytes ? document.saveNoCompress() : document.save());

/** Returns all changes that are not ancestors of these heads: single changes, or the whole document if that is smaller. */
export function chunksSince(
  document: CoreDocument,
  heads: readonly string[],
  save: () => Uint8Array,
): Uint8Array[] {
  const changes = document.getChanges(heads);
  if (changes.length <= SINGLE_CHANGES_MAX) return changes;
  const whole = save();
  return whole.length < changes.reduce((sum, change) => sum + change.length, 0) ? [whole] : changes;
}

/**
 * Makes a change like `A.change`, without a JavaScript copy of the document, which takes longer than most changes.
 * @param actor by default, a random one
 * @param apply gets the draft, and a function that returns the plain value before the change: a draft takes long to read
 * @returns the change, which the document does not have yet; null if it changes nothing
 */
export function makeChange(
  document: CoreDocument,
  actor: string | undefined,
  apply: (draft: unknown, read: () => unknown) => void,
): Uint8Array | null {
  const copy = document.fork(actor);
  try {
    copy.registerDatatype(
      'str',
      (value) => new ImmutableString(value),
      (value) => (value instanceof ImmutableString ? value.val : undefined),
    );
    apply(rootProxy(copy), () => document.materialize('/'));
    // Timestamps of changes would reveal to readers when the owner walks or sleeps.
    if (copy.pendingOps() > 0) copy.commit(null, 0);
    else return null;
    return copy.getLastLocalChange() ?? null;
  } finally {
    copy.free();
  }
}

/** Creates Automerge's own protocol state for a peer; the caller frees it. */
export const newSyncState = (): CoreSyncState => core.initSyncState();

const ACTOR_CHARACTERS = 32;

/** Returns the actor of a change that is the same on all nodes that make it. */
export const actorOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ACTOR_CHARACTERS);

/** Whether Automerge panicked: the document may be in an inconsistent state. */
export const isPanic = (error: unknown): boolean =>
  !(error instanceof RangeError) && (error as Error | null)?.constructor?.name === 'PanicError';

/** Whether the WebAssembly module still works: a panic may have left it unusable. */
export function coreIsSound(): boolean {
  try {
    core.create().free();
    return true;
  } catch {
    return false;
  }
}
