import type { Chunk, StorageKey } from '@automerge/automerge-repo';
import type { DocumentStorage } from '../../client/platform/sync/storage/document-storage.ts';

/** The storage of a device, in memory. */
export class Disk implements DocumentStorage {
  readonly chunks = new Map<string, Chunk>();
  load = async (key: StorageKey) => this.chunks.get(key.join('/'))?.data;
  save = async (key: StorageKey, data: Uint8Array) => {
    this.chunks.set(key.join('/'), { key, data });
  };
  remove = async (key: StorageKey) => {
    this.chunks.delete(key.join('/'));
  };
  loadRange = async (prefix: StorageKey) =>
    [...this.chunks.values()].filter(({ key }) => prefix.every((each, i) => key[i] === each));
  keys = async () => [...this.chunks.values()].map(({ key }) => key);
  loadAll = (keys: readonly StorageKey[]) => Promise.all(keys.map(this.load));
  removeRange = async (prefix: StorageKey) => {
    for (const { key } of await this.loadRange(prefix)) await this.remove(key);
  };
}
