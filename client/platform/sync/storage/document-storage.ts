import type { StorageAdapterInterface, StorageKey } from '@automerge/automerge-repo/slim';

/** Storage of documents that also lists and reads many chunks at once. */
export interface DocumentStorage extends StorageAdapterInterface {
  /** Returns the keys of all chunks, in their order. */
  keys(): Promise<StorageKey[]>;
  /** Returns the data of chunks, in the order of the keys; undefined where there is none. */
  loadAll(keys: readonly StorageKey[]): Promise<(Uint8Array | undefined)[]>;
}
