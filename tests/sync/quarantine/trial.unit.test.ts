import { deflateRawSync } from 'node:zlib';
import { next as A } from '@automerge/automerge';
import { expect, test, vi } from 'vitest';
import { headsOfChunks } from '../../../sync-server/core/protocol/stored-heads.ts';
import { runTrial, TRIAL_LIMITS } from '../../../sync-server/core/quarantine/run-trial.ts';
import { chunkOf, chunkParts, deflated, repeatedOperations } from '../raw-device.ts';

vi.setConfig({ testTimeout: 300_000 });

const doc = A.from<Record<string, unknown>>({ kind: 'account' });
const snapshot = A.save(doc);
const edit = (key: string) => A.change(A.clone(doc), (draft) => void (draft[key] = 1));
const changeOf = (after: A.Doc<unknown>) => A.getLastLocalChange(after)!;
const tried = (...chunks: Uint8Array[]) => ({ id: 'one', ownerUserId: 'me', snapshot, chunks });

/** A change with a text of so many bytes, and a small size. */
function textOf(bytes: number): Uint8Array {
  const { body } = chunkParts(A.getLastLocalChange(A.change(doc, (d) => void (d['t'] = 'a')))!);
  return chunkOf(2, deflateRawSync(Buffer.concat([body, Buffer.alloc(bytes)])));
}

test('a healthy document passes with all changes', async () => {
  const result = await runTrial(tried(changeOf(edit('a')), changeOf(edit('b'))));
  expect(result).toMatchObject({ unusable: [] });
});

test('changes that cannot be loaded are found, and only those', async () => {
  // Two different changes with the same actor and number.
  const twin = (word: string) =>
    changeOf(A.change(A.clone(doc, { actor: A.getActorId(doc) }), (d) => void (d['twin'] = word)));
  const chunks = [changeOf(edit('a')), twin('one'), twin('other'), changeOf(edit('c'))];
  expect(await runTrial(tried(...chunks))).toMatchObject({ unusable: [2] });
});

test('a document that exceeds the limits of time or memory fails', async () => {
  const slow = tried(repeatedOperations(20_000_000));
  expect(await runTrial(slow, { ...TRIAL_LIMITS, cpuMs: 2_500 })).toBeNull();
  const large = tried(textOf(600_000_000));
  expect(await runTrial(large, { ...TRIAL_LIMITS, bytes: 400_000_000 })).toBeNull();
});

test('the heads of stored chunks are read without Automerge', () => {
  const one = edit('a');
  const two = A.change(A.clone(one), (draft) => void (draft['b'] = 1));
  const chunks = [snapshot, Buffer.concat([changeOf(one), deflated(changeOf(two))])];
  expect(headsOfChunks(chunks)).toEqual(A.getHeads(two));
  const other = edit('c');
  expect(headsOfChunks([...chunks, changeOf(other)])).toEqual(
    [...A.getHeads(two), ...A.getHeads(other)].toSorted(),
  );
  expect(headsOfChunks([A.save(A.merge(A.clone(two), other))])).toEqual(
    [...A.getHeads(two), ...A.getHeads(other)].toSorted(),
  );
});
