import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { COMPRESS_MAX_BYTES } from './limits.ts';

/**
 * Automerge's wasm objects, without the JavaScript copies that its public API keeps beside them. This file alone
 * reaches past the package's exports; the version is pinned and tests/sync/automerge-core.unit.test.ts fails when they move.
 */
export interface CoreDocument {
  /** Takes in single changes, sooner than `loadIncremental` does. */
  applyChanges(changes: Uint8Array[]): void;
  /** Takes in chunks in any order; those whose dependencies are missing wait. */
  loadIncremental(chunks: Uint8Array): number;
  /** Hashes in hexadecimal, sorted. */
  getHeads(): string[];
  getChanges(sinceHeads: readonly string[]): Uint8Array[];
  getChangeByHash(hash: string): Uint8Array | null;
  /** Hashes that waiting changes depend on. */
  getMissingDeps(heads: string[]): string[];
  save(): Uint8Array;
  saveNoCompress(): Uint8Array;
  saveSince(heads: string[]): Uint8Array;
  generateSyncMessage(state: CoreSyncState): Uint8Array | null;
  receiveSyncMessage(state: CoreSyncState, message: Uint8Array): void;
  /** The plain value: text as strings. */
  materialize(path: string): unknown;
  /** A value of the root: undefined where there is none. */
  get(object: '/', key: string): unknown;
  /** What differs between two states, in the terms of the plain value. */
  diff(before: string[], after: string[]): CorePatch[];
  stats(): { numChanges: number; numOps: number };
  free(): void;
}

export interface CorePatch {
  path: (string | number)[];
}

export interface CoreSyncState {
  free(): void;
}

interface Core {
  create(): CoreDocument;
  load(saved: Uint8Array, options: Record<string, never>): CoreDocument;
  initSyncState(): CoreSyncState;
}

const WHOLE_RATHER_THAN = 20;

const require = createRequire(import.meta.url);
const dist = dirname(dirname(require.resolve('@automerge/automerge')));
const core = require(join(dist, 'mjs/wasm_bindgen_output/nodejs/automerge_wasm.cjs')) as Core;

/** Whoever loads a document frees it. @throws when the bytes are no saved document */
export const loadCore = (saved: Uint8Array): CoreDocument => core.load(saved, {});

/**
 * Saves a document, compressed unless that would hold up everybody else.
 * @param bytes what it weighs uncompressed
 * @param most what is compressed, in bytes
 */
export const saveCore = (
  document: CoreDocument,
  bytes: number,
  most = COMPRESS_MAX_BYTES,
): Uint8Array => (bytes > most ? document.saveNoCompress() : document.save());

/** All that is not among the ancestors of these heads: single changes, or the document as a whole where that is less. */
export function chunksSince(
  document: CoreDocument,
  heads: readonly string[],
  save: () => Uint8Array,
): Uint8Array[] {
  const changes = document.getChanges(heads);
  if (changes.length <= WHOLE_RATHER_THAN) return changes;
  const whole = save();
  return whole.length < changes.reduce((sum, change) => sum + change.length, 0) ? [whole] : changes;
}

/** What one peer is known to have, for the full protocol. Whoever makes one frees it. */
export const newSyncState = (): CoreSyncState => core.initSyncState();

/** Whether Automerge met something it does not expect: the document that it was about may be half changed. */
export const isPanic = (error: unknown): boolean =>
  !(error instanceof RangeError) && (error as Error | null)?.constructor?.name === 'PanicError';

/** Whether the wasm module still works: a panic inside may have left it unusable. */
export function coreIsSound(): boolean {
  try {
    core.create().free();
    return true;
  } catch {
    return false;
  }
}
