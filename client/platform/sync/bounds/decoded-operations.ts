import * as A from '@automerge/automerge/slim';
import type { ChangeOperation } from '#shared/sync/change-operations.ts';

const MADE: Record<string, ChangeOperation['makes']> = {
  makeMap: 'map',
  makeTable: 'map',
  makeList: 'list',
  makeText: 'text',
};

/** What Automerge's type of an operation lacks. */
interface Details {
  insert?: boolean;
  /** Inserted in a row. */
  values?: unknown[];
}

/** Reads the operations of a change that was checked, or made, on this device. */
export function decodedOperations(change: Uint8Array): ChangeOperation[] {
  const { actor, startOp, ops } = A.decodeChange(change);
  let counter = startOp;
  return ops.map((operation) => {
    const { action, obj, key, insert, values } = operation as (typeof ops)[number] & Details;
    const id = `${counter}@${actor}`;
    counter += values?.length ?? 1;
    const setsKey = key !== undefined && !insert && action !== 'del';
    return { id, object: obj, key: key ?? null, makes: MADE[action] ?? null, setsKey };
  });
}

/** The operations of all changes of a document, in their order. */
export function* historyOf(doc: A.Doc<unknown>): Iterable<ChangeOperation[]> {
  for (const change of A.getAllChanges(doc)) yield decodedOperations(change);
}
