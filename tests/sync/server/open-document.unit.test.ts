import { setImmediate } from 'node:timers/promises';
import * as A from '@automerge/automerge';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { loadCore } from '../../../sync-server/core/documents/automerge-core.ts';
import { applyNamedChange } from '../../../sync-server/core/documents/named-changes.ts';
import {
  OpenDocument,
  type Device,
  type Peer,
} from '../../../sync-server/core/documents/open-document.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';
import { DocumentPeer } from '../../../sync-server/wire/connections/document-peer.ts';

const UNKNOWN_HEAD = 'ab'.repeat(32);

/** Opens a document by itself; `events` lists the calls of its host, and `runBatch` runs scheduled work. */
function openCard(saved: Uint8Array, kind: 'card' | 'account' = 'card') {
  const batch: (() => void)[] = [];
  const events: string[] = [];
  const row = { _id: 'one', kind, owner_user_id: 'sam', snapshot_version: 1 };
  const document: OpenDocument = new OpenDocument(
    { row, core: loadCore(saved), snapshotHeads: [] },
    {
      schedule: (_, work) => void batch.push(work),
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

test('nothing of a refused change of the server stays in the document', async () => {
  const { before, change, heads } = changed();
  const { document, runBatch } = openCard(before);
  document.users++;
  const tooDeep = {
    input: z.unknown(),
    apply(draft: unknown) {
      let at = draft as Record<string, Record<string, never>>;
      for (let depth = 0; depth < 20; depth++) {
        at['deeper'] = {};
        at = at['deeper'];
      }
    },
  };
  const refused = applyNamedChange(document, tooDeep, null, () => {});
  setTimeout(runBatch);
  await expect(refused).rejects.toThrow('too deep');
  document.enqueue(() => document.content.apply([change], validateChunks([change])));
  runBatch();
  await setImmediate();
  expect(document.content.heads).toEqual(heads);
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

test('an account is read for its row only after what the row has of it was changed', () => {
  let doc = A.from<Record<string, unknown>>({ settings: {}, other: {} });
  const { document } = openCard(A.save(doc), 'account');
  const { content } = document;
  let reads = 0;
  const field = content.field.bind(content);
  content.field = (name) => {
    reads++;
    return field(name);
  };
  const change = (edit: (draft: Record<string, unknown>) => void) => {
    doc = A.change(doc, edit);
    return A.getLastLocalChange(doc)!;
  };
  const take = (bytes: Uint8Array) => {
    content.apply([bytes], validateChunks([bytes]));
    return document.takeAccount();
  };
  expect(take(change((draft) => void (draft['other'] = { a: 1 })))).toBeNull();
  expect(reads).toBe(0);
  const sharing = change((draft) => void (draft['is_location_sharing_enabled'] = true));
  expect(take(sharing)).toMatchObject({ is_location_sharing_enabled: true });
  document.applyStored([change((draft) => void (draft['is_location_sharing_enabled'] = false))]);
  expect(document.projectedAccount).toMatchObject({ is_location_sharing_enabled: false });
  document.projectAgain();
  expect(document.takeAccount()).toMatchObject({ is_location_sharing_enabled: false });
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

test('a document that many devices of one user wait for is sent to another user after two of them', () => {
  const { document, runBatch } = openCard(changed().before);
  const sent: string[] = [];
  const peerOf = (userId: string): Peer => ({
    device: { userId } as Device,
    isWaiting: true,
    update() {
      this.isWaiting = false;
      sent.push(userId);
      const from = performance.now();
      while (performance.now() - from < 25);
    },
    free() {},
  });
  const peers = [...Array.from({ length: 20 }, () => peerOf('busy')), peerOf('other')];
  for (const peer of peers) document.addPeer(peer);
  document.enqueue(() => {});
  runBatch();
  runBatch();
  expect(sent).toEqual(['busy', 'other']);
  for (let batch = 0; batch < 19; batch++) runBatch();
  expect(sent).toHaveLength(21);
  expect(document.peers).toHaveLength(21);
  for (const peer of peers) document.removePeer(peer);
});

test('messages about a document take turns by user', () => {
  const { document, runBatch } = openCard(changed().before);
  document.users++;
  const handled: string[] = [];
  const send = (userId: string) =>
    document.enqueue(
      () => {
        handled.push(userId);
        const from = performance.now();
        while (performance.now() - from < 25);
      },
      undefined,
      { userId, charge() {} },
    );
  for (let i = 0; i < 10; i++) send('busy');
  send('other');
  for (let batch = 0; batch < 3; batch++) runBatch();
  expect(handled).toEqual(['busy', 'busy', 'other']);
  for (let batch = 0; batch < 8; batch++) runBatch();
  expect(handled).toHaveLength(11);
  document.release();
});

test('a device that confirms late what it was sent causes no work, and one that repeats an older state does', () => {
  let doc = A.from({ name: 'Sam' });
  const { document } = openCard(A.save(doc));
  let sent = 0;
  const device = { userId: 'ann', sendSync: () => sent++, chargeTime() {} } as unknown as Device;
  const peer = new DocumentPeer(document, device, false);
  document.addPeer(peer);
  peer.setUpToDate();
  const states = [A.getHeads(doc)];
  for (const name of ['Alex', 'Kim']) {
    doc = A.change(doc, (draft) => void (draft.name = name));
    const change = A.getLastLocalChange(doc)!;
    document.content.apply([change], validateChunks([change]));
    peer.update();
    states.push(A.getHeads(doc));
  }
  expect(sent).toBe(2);
  const [first = [], second = [], third = []] = states;
  const acknowledges = (heads: string[], more = {}) =>
    peer.acknowledges({ heads, need: [], chunks: [], ...more });
  expect(acknowledges(first)).toBe(true);
  expect(acknowledges(second)).toBe(true);
  expect(acknowledges(first)).toBe(false);
  expect(acknowledges(third, { need: second })).toBe(false);
  expect(acknowledges(third, { chunks: [new Uint8Array()] })).toBe(false);
  expect(acknowledges(third)).toBe(true);
  // It did not get the last one, after all.
  expect(acknowledges(second)).toBe(false);
});

test('sends several changes that were stored together without reading them back', () => {
  let doc = A.from({ name: 'Sam' });
  const { document } = openCard(A.save(doc));
  const before = A.getHeads(doc);
  const changes = ['Alex', 'Kim'].map((name) => {
    doc = A.change(doc, (draft) => void (draft.name = name));
    return A.getLastLocalChange(doc)!;
  });
  for (const change of changes) document.content.apply([change], validateChunks([change]));
  const read = vi.spyOn(document.content.load(), 'getChanges');
  expect(document.content.changesSince(before)).toEqual(
    changes.map((each) => new Uint8Array(each)),
  );
  expect(read).not.toHaveBeenCalled();
  document.content.takeUnsaved();
  doc = A.change(doc, (draft) => void (draft.name = 'Lou'));
  const last = A.getLastLocalChange(doc)!;
  document.content.apply([last], validateChunks([last]));
  expect(document.content.changesSince(before)).toHaveLength(3);
});
