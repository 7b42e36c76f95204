import { setImmediate } from 'node:timers/promises';
import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { loadCore } from '../../../sync-server/core/documents/automerge-core.ts';
import { OpenDocument, type Device } from '../../../sync-server/core/documents/open-document.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';

const UNKNOWN_HEAD = 'ab'.repeat(32);

/** Opens a card by itself; `events` lists the calls of its host, and `runBatch` runs scheduled work. */
function openCard(saved: Uint8Array) {
  const batch: (() => void)[] = [];
  const events: string[] = [];
  const row = { _id: 'one', kind: 'card', owner_user_id: 'sam', snapshot_version: 1 } as const;
  const document: OpenDocument = new OpenDocument(
    { row, core: loadCore(saved), snapshotHeads: [] },
    {
      schedule: (work) => void batch.push(work),
      append() {
        events.push('stored');
        return Promise.resolve();
      },
      committed: ({ content }) => void events.push(`projected ${JSON.stringify(content.value())}`),
      closed: (_document, failure) => void events.push(failure ? 'failed' : 'closed'),
      onUse() {},
    },
  );
  const runBatch = () => {
    for (const work of batch.splice(0)) work();
  };
  return { document, events, runBatch };
}

const changed = () => {
  const before = A.from({ name: 'Sam' });
  const after = A.change(A.clone(before), (draft) => void (draft.name = 'Alex'));
  return { before: A.save(before), change: A.getLastLocalChange(after)!, heads: A.getHeads(after) };
};

test('says whether it has the heads of another node, also if it closes in the same batch', async () => {
  const { before, change, heads } = changed();
  const { document, events, runBatch } = openCard(before);
  const outcome = document.receiveStored([change], [...heads, UNKNOWN_HEAD]);
  runBatch();
  expect(events).toEqual(['closed']);
  expect(await outcome).toBe(false);
  expect(await document.receiveStored([], heads)).toBeNull();
});

test('is projected before it closes when its last device leaves because it is too slow for a change', async () => {
  const { before, change } = changed();
  const { document, events, runBatch } = openCard(before);
  const peer = {
    device: {} as Device,
    isWaiting: true,
    update: () => document.removePeer(peer),
    free() {},
  };
  document.addPeer(peer);
  document.enqueue(() => document.content.apply([change], validateChunks([change])));
  runBatch();
  await setImmediate();
  expect(events).toEqual(['stored', 'projected {"name":"Alex"}', 'closed']);
});

test('handles many heavy messages in several batches', () => {
  const { document, runBatch } = openCard(changed().before);
  document.users++;
  const handled: number[] = [];
  for (let i = 0; i < 3; i++)
    document.enqueue(() => {
      const from = performance.now();
      while (performance.now() - from < 30);
      handled.push(i);
    });
  const counts = [1, 2, 3].map(() => {
    runBatch();
    return handled.length;
  });
  expect(counts).toEqual([1, 2, 3]);
  expect(handled).toEqual([0, 1, 2]);
  document.release();
});
