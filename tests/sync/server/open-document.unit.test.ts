import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { loadCore } from '../../../sync-server/documents/automerge-core.ts';
import { OpenDocument } from '../../../sync-server/documents/open-document.ts';

const UNKNOWN_HEAD = 'ab'.repeat(32);

/** Opens a document that notes what happens to it. Batches run at once when `run` is called. */
function openDocument() {
  const saved = A.save(A.from({ kind: 'card', name: 'Sam' }));
  const events: string[] = [];
  const batch: (() => void)[] = [];
  const row = { _id: 'one', kind: 'card', owner_user_id: 'sam', snapshot_version: 1 } as const;
  const document = new OpenDocument(
    { row, core: loadCore(saved), snapshotHeads: [] },
    {
      schedule: (work) => void batch.push(work),
      append: async () => void events.push('stored'),
      committed: ({ content }) =>
        void events.push(`projected ${(content.value() as { name: string }).name}`),
      closed: (_document, failure) => void events.push(failure ? 'failed' : 'closed'),
      onUse: () => {},
    },
  );
  /** Another node's change, made from the saved document. */
  const change = (name: string) => {
    const after = A.change(A.load<{ name: string }>(saved), (draft) => void (draft.name = name));
    return { chunk: A.getLastLocalChange(after)!, heads: A.getHeads(after) };
  };
  return { document, events, change, run: () => batch.splice(0).forEach((work) => work()) };
}

test('says whether it has the heads of another node, also if it closes in the same batch', async () => {
  const { document, events, change, run } = openDocument();
  const { chunk, heads } = change('Alex');
  const outcome = document.receiveStored([chunk], [...heads, UNKNOWN_HEAD]);
  run();
  expect(events).toEqual(['closed']);
  expect(await outcome).toBe(false);
  expect(await document.receiveStored([], heads)).toBeNull();
});
