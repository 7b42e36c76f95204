import { next as A } from '@automerge/automerge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadCore, newSyncState } from '../../sync-server/automerge-core.ts';
import { Awake } from '../../sync-server/awake.ts';
import { guardChunks } from '../../sync-server/chunk-guard.ts';
import { Content } from '../../sync-server/content.ts';
import { AWAKE_MAX, REST_AFTER_MS } from '../../sync-server/limits.ts';

type Doc = { list: string[] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const contentOf = (doc: A.Doc<Doc>, awake = new Awake()) =>
  new Content(loadCore(A.save(doc)), (content) => awake.used(content));

const added = (doc: A.Doc<Doc>, text: string) =>
  A.change(A.clone(doc), (draft) => void draft.list.push(text));

const take = (content: Content, change: Uint8Array) =>
  content.apply([change], guardChunks([change]));

test('what rests is the same when it is needed again, and goes on from there', () => {
  const first = A.from<Doc>({ list: ['a'] });
  const content = contentOf(first);
  const second = added(first, 'b');
  take(content, A.getLastLocalChange(second)!);
  const fresh = content.takeFresh();
  expect(content.rest()).toBe(true);
  expect(content.heads).toEqual(A.getHeads(second));
  expect(content.value()).toEqual({ list: ['a', 'b'] });

  content.rest();
  const third = added(second, 'c');
  take(content, A.getLastLocalChange(third)!);
  expect(content.heads).toEqual(A.getHeads(third));
  const [onDisk] = A.applyChanges(A.clone(first), [fresh, content.takeFresh()]);
  expect(onDisk).toEqual(third);

  content.rest();
  const [caughtUp] = A.applyChanges(A.clone(first), content.changesSince(A.getHeads(first)));
  expect(caughtUp).toEqual(third);
  content.rest();
  expect(A.load(content.save())).toEqual(third);
  content.free();
});

test('a change that waits for another keeps a document from resting', () => {
  const first = A.from<Doc>({ list: [] });
  const second = added(first, 'a');
  const third = added(second, 'b');
  const content = contentOf(first);
  take(content, A.getLastLocalChange(third)!);
  expect(content.rest()).toBe(false);
  take(content, A.getLastLocalChange(second)!);
  expect(content.heads).toEqual(A.getHeads(third));
  expect(content.rest()).toBe(true);
  expect(content.value()).toEqual({ list: ['a', 'b'] });
  content.free();
});

test("Automerge's own protocol goes on through a rest", () => {
  const first = A.from<Doc>({ list: [] });
  const content = contentOf(first);
  const state = newSyncState();
  let theirs = A.clone(first);
  let theirState = A.initSyncState();
  theirs = added(theirs, 'theirs');
  for (let i = 0; i < 6; i++) {
    content.rest();
    const ours = content.generateInFull(state);
    if (ours) [theirs, theirState] = A.receiveSyncMessage(theirs, theirState, ours);
    const [next, message] = A.generateSyncMessage(theirs, theirState);
    theirState = next;
    content.rest();
    if (message) content.receiveInFull(state, message);
  }
  expect(content.heads).toEqual(A.getHeads(theirs));
  state.free();
  content.free();
});

test('those used last stay awake, and a number of others', async () => {
  const awake = new Awake();
  const rest = vi.spyOn(Content.prototype, 'rest');
  const doc = A.from<Doc>({ list: [] });
  const contents = Array.from({ length: AWAKE_MAX + 10 }, () => contentOf(doc, awake));
  const resting = () => contents.filter((content) => rest.mock.contexts.includes(content));
  await vi.advanceTimersByTimeAsync(REST_AFTER_MS / 2);
  awake.used(contents[0]!);
  expect(resting()).toEqual([]);
  await vi.advanceTimersByTimeAsync(REST_AFTER_MS);
  expect(resting()).toEqual(contents.slice(1, 11));
  // Who comes back is another's turn to rest, later.
  contents[1]!.wake();
  await vi.advanceTimersByTimeAsync(REST_AFTER_MS / 2);
  expect(resting()).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(REST_AFTER_MS);
  expect(resting()).toEqual(contents.slice(1, 12));
  for (const content of contents) content.free();
  rest.mockRestore();
});
