import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { loadCore } from '../../../sync-server/documents/automerge-core.ts';
import { OpenDocument } from '../../../sync-server/documents/open-document.ts';

const UNKNOWN_HEAD = 'ab'.repeat(32);

test('says whether it has the heads of another node, also if it closes in the same batch', async () => {
  const before = A.from({ name: 'Sam' });
  const after = A.change(A.clone(before), (draft) => void (draft.name = 'Alex'));
  const heads = A.getHeads(after);
  const batch: (() => void)[] = [];
  const closed: unknown[] = [];
  const row = { _id: 'one', kind: 'card', owner_user_id: 'sam', snapshot_version: 1 } as const;
  const document = new OpenDocument(
    { row, core: loadCore(A.save(before)), snapshotHeads: [] },
    {
      schedule: (work) => void batch.push(work),
      append: () => Promise.reject(new Error('nothing to store')),
      committed: () => {},
      closed: (_document, failure) => void closed.push(failure),
      onUse: () => {},
    },
  );
  const outcome = document.receiveStored([A.getLastLocalChange(after)!], [...heads, UNKNOWN_HEAD]);
  for (const work of batch) work();
  expect(closed).toEqual([null]);
  expect(await outcome).toBe(false);
  expect(await document.receiveStored([], heads)).toBeNull();
});
