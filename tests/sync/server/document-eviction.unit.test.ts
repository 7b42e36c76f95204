import { next as A } from '@automerge/automerge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { documentLimits } from '#shared/sync/limits.ts';
import { loadCore, newSyncState } from '../../../sync-server/core/documents/automerge-core.ts';
import { currentDocument } from '../../../sync-server/core/documents/current-document.ts';
import { DocumentContent } from '../../../sync-server/core/documents/document-content.ts';
import { DocumentEviction } from '../../../sync-server/core/documents/document-eviction.ts';
import { EVICT_AFTER_MS, LOADED_MAX } from '../../../sync-server/core/limits.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';

type Doc = { list: string[] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const contentOf = (doc: A.Doc<Doc>, eviction = new DocumentEviction()) =>
  new DocumentContent(loadCore(A.save(doc)), documentLimits.account, (content) =>
    eviction.used(content),
  );

const added = (doc: A.Doc<Doc>, text: string) =>
  A.change(A.clone(doc), (draft) => void draft.list.push(text));

const take = (content: DocumentContent, change: Uint8Array) =>
  content.apply([change], validateChunks([change]));

test('an evicted document has the same content when it is loaded again, and accepts changes', () => {
  const first = A.from<Doc>({ list: ['a'] });
  const content = contentOf(first);
  const second = added(first, 'b');
  take(content, A.getLastLocalChange(second)!);
  const unsaved = content.takeUnsaved();
  expect(content.evict()).toBe(true);
  expect(content.heads).toEqual(A.getHeads(second));
  expect(content.value()).toEqual({ list: ['a', 'b'] });

  content.evict();
  const third = added(second, 'c');
  take(content, A.getLastLocalChange(third)!);
  expect(content.heads).toEqual(A.getHeads(third));
  const [stored] = A.applyChanges(A.clone(first), [unsaved, content.takeUnsaved()]);
  expect(stored).toEqual(third);

  content.evict();
  const [caughtUp] = A.applyChanges(A.clone(first), content.changesSince(A.getHeads(first)));
  expect(caughtUp).toEqual(third);
  content.evict();
  expect(A.load(content.save())).toEqual(third);
  content.free();
});

test('the watchdog sees which document is being serialized', () => {
  const core = loadCore(A.save(A.from<Doc>({ list: [] })));
  const content = new DocumentContent(core, documentLimits.account, () => {}, {
    documentId: 'one',
  });
  const seen: unknown[] = [];
  const save = core.save.bind(core);
  core.save = () => {
    seen.push(currentDocument.read()?.documentId);
    return save();
  };
  expect(content.evict()).toBe(true);
  expect(seen).toEqual(['one']);
  expect(currentDocument.read()).toBe(null);
  content.free();
});

test('a document is not evicted while a change waits for its dependencies', () => {
  const first = A.from<Doc>({ list: [] });
  const second = added(first, 'a');
  const third = added(second, 'b');
  const content = contentOf(first);
  take(content, A.getLastLocalChange(third)!);
  expect(content.evict()).toBe(false);
  take(content, A.getLastLocalChange(second)!);
  expect(content.heads).toEqual(A.getHeads(third));
  expect(content.evict()).toBe(true);
  expect(content.value()).toEqual({ list: ['a', 'b'] });
  content.free();
});

test("Automerge's own protocol state survives an eviction", () => {
  const first = A.from<Doc>({ list: [] });
  const content = contentOf(first);
  const state = newSyncState();
  let theirs = A.clone(first);
  let theirState = A.initSyncState();
  theirs = added(theirs, 'theirs');
  for (let i = 0; i < 6; i++) {
    content.evict();
    const ours = content.generateInFull(state);
    if (ours) [theirs, theirState] = A.receiveSyncMessage(theirs, theirState, ours);
    const [next, message] = A.generateSyncMessage(theirs, theirState);
    theirState = next;
    content.evict();
    if (message) content.receiveInFull(state, message);
  }
  expect(content.heads).toEqual(A.getHeads(theirs));
  state.free();
  content.free();
});

test('the least recently used documents are evicted when too many are loaded', async () => {
  const eviction = new DocumentEviction();
  const evict = vi.spyOn(DocumentContent.prototype, 'evict');
  const doc = A.from<Doc>({ list: [] });
  const contents = Array.from({ length: LOADED_MAX + 10 }, () => contentOf(doc, eviction));
  const evicted = () => contents.filter((content) => evict.mock.contexts.includes(content));
  await vi.advanceTimersByTimeAsync(EVICT_AFTER_MS / 2);
  eviction.used(contents[0]!);
  expect(evicted()).toEqual([]);
  await vi.advanceTimersByTimeAsync(EVICT_AFTER_MS);
  expect(evicted()).toEqual(contents.slice(1, 11));
  // Loading an evicted document evicts another one later.
  contents[1]!.load();
  await vi.advanceTimersByTimeAsync(EVICT_AFTER_MS / 2);
  expect(evicted()).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(EVICT_AFTER_MS);
  expect(evicted()).toEqual(contents.slice(1, 12));
  for (const content of contents) content.free();
  evict.mockRestore();
});
