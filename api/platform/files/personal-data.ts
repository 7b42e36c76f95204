import type { PersonalDataHandler } from '../personal-data.ts';
import type { FileStore } from './store.ts';

/** A user’s files of one kind, named by the keys in the documents. */
export const fileData = (sort: 'images' | 'sounds', store: FileStore): PersonalDataHandler => ({
  name: sort,
  async *files({ _id }) {
    for await (const { key, type, bytes, open } of store.listOf(_id))
      yield { path: `${sort}/${key}.${type.split('/')[1]}`, bytes, open };
  },
  async remove({ _id }) {
    const keys: string[] = [];
    for await (const { key } of store.listOf(_id)) keys.push(key);
    for (const key of keys) await store.remove(key, _id);
  },
});
