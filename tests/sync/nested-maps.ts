import { loadCore, type CoreDocument } from '../../sync-server/documents/automerge-core.ts';

type WritableCore = CoreDocument & {
  putObject(object: string, key: string, value: object): string;
  commit(message: null, time: number): void;
};

/**
 * Nests maps in one change, one operation each: the public interface refuses to do that at great depths.
 * @param field the map at the top of the document in which they are; by default, the document itself
 * @returns the document with them, which the caller frees
 */
export function nestMaps(
  saved: Uint8Array,
  depth: number,
  field?: string,
): { core: CoreDocument; before: string[]; changes: Uint8Array[] } {
  const core = loadCore(saved) as WritableCore;
  const before = core.getHeads();
  let object = field ? (core.getWithType('/', field)![1] as string) : '/';
  for (let i = 0; i < depth; i++) object = core.putObject(object, 'a', {});
  core.commit(null, 0);
  return { core, before, changes: core.getChanges(before) };
}
