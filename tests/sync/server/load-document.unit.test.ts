import * as A from '@automerge/automerge';
import { expect, test, vi } from 'vitest';
import { loadDocument } from '../../../sync-server/core/documents/load-document.ts';

const database = (snapshot: Uint8Array, chunks: Uint8Array[]) =>
  ({
    documents: { findOne: async () => ({ _id: 'one', snapshot: { buffer: snapshot } }) },
    log: {
      find: () => ({
        project: () => ({
          toArray: async () => chunks.map((each) => ({ entries: [{ chunks: { buffer: each } }] })),
        }),
      }),
    },
  }) as never;

test.each([
  ['that can be read', true],
  ['that cannot be read', false],
])('charges the time of loading a document %s', async (_, isReadable) => {
  const doc = A.from<{ n: number }>({ n: 0 });
  const saved = A.save(doc);
  const changes = [1, 2, 3].map((n) =>
    A.getLastLocalChange(A.change(A.clone(doc), (draft) => void (draft.n = n)))!,
  );
  const charge = vi.fn<(ms: number) => void>();
  let now = 0;
  // Each look at the clock takes 10 ms.
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  const snapshot = isReadable ? saved : saved.subarray(0, 20);
  const outcome = await loadDocument(database(snapshot, changes), 'one', charge).catch(() => null);
  vi.restoreAllMocks();
  expect(outcome !== null).toBe(isReadable);
  // Once; each of three changes ends a slice.
  expect(charge).toHaveBeenCalledExactlyOnceWith(expect.any(Number));
  expect(charge.mock.lastCall![0]).toBeGreaterThanOrEqual(isReadable ? 40 : 10);
  outcome?.core.free();
});
