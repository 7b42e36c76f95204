import * as A from '@automerge/automerge';
import { Repo } from '@automerge/automerge-repo';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { initialSegment, segmentChanges, type SegmentDocument } from '#shared/chat/document.ts';
import { Summaries } from '../../../client/features/chat/conversations/conversation-cache.ts';
import {
  OlderMessages,
  type OlderSegment,
} from '../../../client/features/chat/search/older-messages.ts';
import type { SearchWorkerClient } from '../../../client/features/chat/search/search-worker-client.ts';
import {
  SegmentSearch,
  type SavedSegment,
  type SegmentsQuery,
} from '../../../client/features/chat/search/segment-search.ts';
import {
  ThreadDocuments,
  type ThreadHost,
} from '../../../client/features/chat/thread/thread-documents.ts';
import {
  Confirmations,
  ConfirmedHeads,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { DocumentRemovals } from '../../../client/platform/sync/storage/document-removals.ts';
import { noTabs, stubBrowser } from '../device.ts';
import { Disk } from '../disk.ts';

let disk: Disk;
/** What the worker got of each segment. */
let read: SavedSegment[];
const messagesOn = (storage: Disk | null) => {
  const search = new SegmentSearch();
  return new OlderMessages(storage, () => ({
    find(query) {
      for (const { saved } of query.pairs) read.push(...(saved ?? []));
      return search.find(query);
    },
    stop() {},
  }));
};

let doc: A.Doc<SegmentDocument>;
const add = (key: string, text: string) =>
  A.change(doc, (draft) =>
    segmentChanges['message.add'].apply(draft, {
      key,
      seq: Number(key),
      device: 'd',
      at: '2026-11-29T00:00:00.000Z',
      text,
    }),
  );
const mine = 'automerge:mine';
const theirs = 'automerge:theirs';
const segment: OlderSegment = { friend_user_id: 'bob', pair: { number: 1, mine, theirs } };

beforeEach(async () => {
  disk = new Disk();
  read = [];
  doc = A.from({
    ...initialSegment('t', 'ann', { thread_id: 't', number: 1, friend_user_id: 'bob', after: 0 }),
  });
  await disk.save(['theirs', 'snapshot', 'a'], A.save(doc));
  doc = add('1', 'At the LAKE');
  await disk.save(['mine', 'snapshot', 'a'], A.save(doc));
});

async function found(messages: OlderMessages, words: string, segments = [segment]) {
  const all: (string[] | null)[] = [];
  for await (const some of messages.find(segments, words))
    all.push(...some.map((each) => each.messages?.map(({ text }) => text) ?? null));
  return all;
}
const stored = () => [...disk.chunks.values()].filter(({ key }) => key[1]?.startsWith('texts'));
const areTexts = () => read.splice(0).map((each) => each.areTexts);

test('reads a segment with Automerge once, also after a restart', async () => {
  const first = messagesOn(disk);
  expect(await found(first, 'lake')).toEqual([['At the LAKE']]);
  expect(areTexts()).toEqual([false, false]);
  expect(await found(first, 'the')).toEqual([['At the LAKE']]);
  // The worker has it.
  expect(areTexts()).toEqual([]);
  await expect.poll(() => stored().length).toBe(2);
  expect(await found(messagesOn(disk), 'lake')).toEqual([['At the LAKE']]);
  expect(areTexts()).toEqual([true, true]);
});

test('is prepared before anybody searches', async () => {
  const messages = messagesOn(disk);
  expect(await messages.unprepared([segment.pair])).toEqual([segment.pair]);
  await messages.prepare(segment.pair);
  await expect.poll(() => stored().length).toBe(2);
  expect(await messages.unprepared([segment.pair])).toEqual([]);
  areTexts();
  const parts = vi.spyOn(disk, 'loadRange');
  expect(await found(messagesOn(disk), 'lake')).toEqual([['At the LAKE']]);
  expect(areTexts()).toEqual([true, true]);
  // Only the texts were read.
  expect(parts).not.toHaveBeenCalled();
});

test('reads a segment again that has changed, and keeps no texts of its former state', async () => {
  await found(messagesOn(disk), 'lake');
  await expect.poll(() => stored().length).toBe(2);
  const [before] = A.getHeads(doc);
  doc = add('2', 'Another lake');
  await disk.save(['mine', 'incremental', 'b'], A.saveSince(doc, [before!]));
  areTexts();
  expect(await found(messagesOn(disk), 'lake')).toEqual([['At the LAKE', 'Another lake']]);
  expect(areTexts()).toEqual([false, true]);
  await expect
    .poll(() => JSON.stringify(stored().map(({ key }) => key[0])))
    .toBe('["theirs","mine"]');
});

test('stores what it read of a former state under that state', async () => {
  const search = new SegmentSearch();
  const held: (() => void)[] = [];
  const slow = new OlderMessages(disk, () => ({
    async find(query) {
      const answer = search.find({ ...query, words: '' });
      await new Promise<void>((resolve) => held.push(resolve));
      return answer;
    },
    stop() {},
  }));
  const first = slow.prepare(segment.pair);
  await expect.poll(() => held.length).toBe(1);
  const [before] = A.getHeads(doc);
  doc = add('2', 'Another lake');
  await disk.save(['mine', 'incremental', 'b'], A.saveSince(doc, [before!]));
  const second = slow.prepare(segment.pair);
  await expect.poll(() => held.length).toBe(2);
  held[0]?.();
  await first;
  await expect.poll(() => stored().length).toBe(2);
  // Before the second answer arrives.
  expect(await found(messagesOn(disk), 'lake')).toEqual([['At the LAKE', 'Another lake']]);
  held[1]?.();
  await second;
});

test('finds nothing of a segment that was removed, or is not on this device', async () => {
  await found(messagesOn(disk), 'lake');
  await expect.poll(() => stored().length).toBe(2);
  await disk.removeRange(['mine']);
  expect(stored().map(({ key }) => key[0])).toEqual(['theirs']);
  expect(await found(messagesOn(disk), 'lake')).toEqual([null]);
  expect(await messagesOn(disk).unprepared([segment.pair])).toEqual([]);
  expect(await found(messagesOn(null), 'lake')).toEqual([null]);
});

test('removes texts that another tab stored of a removed document, and those of another format', async () => {
  await messagesOn(disk).prepare(segment.pair);
  await expect.poll(() => stored().length).toBe(2);
  await disk.save(['theirs', 'texts-1', 'x'], new Uint8Array(1));
  await disk.remove(['mine', 'snapshot', 'a']);
  expect(await messagesOn(disk).unprepared([segment.pair])).toEqual([]);
  expect(stored().map(({ key: [id, kind] }) => [id, kind])).toEqual([['theirs', 'texts-2']]);
});

test('finds what replaced a segment, and not its old words, during a search that had read it', async () => {
  const messages = messagesOn(disk);
  expect(await found(messages, 'lake')).toEqual([['At the LAKE']]);
  doc = add('2', 'Edited');
  const edited = A.change(doc, (draft) => void delete draft.messages['1']);
  await disk.save(['rewritten', 'snapshot', 'a'], A.save(edited));
  const pair = { ...segment.pair, mine: 'automerge:rewritten' };
  const rewritten = { ...segment, pair };
  expect(await found(messages, 'lake', [rewritten])).toEqual([[]]);
  expect(await found(messages, 'edited', [rewritten])).toEqual([['Edited']]);
  const theirs = { ...pair, mine: 'automerge:theirs', theirs: 'automerge:mine' };
  expect(await found(messages, 'lake', [{ ...segment, pair: theirs }])).toEqual([['At the LAKE']]);
});

test('searches prepared and unprepared segments in their order, with any signs in them', async () => {
  doc = add('2', 'one\uffff two');
  doc = add('3', 'a last LAKE');
  await disk.save(['other', 'snapshot', 'a'], A.save(doc));
  const pair = { number: 2, mine: 'automerge:other', theirs };
  await messagesOn(disk).prepare(pair);
  await expect.poll(() => stored().length).toBe(2);
  const both = [segment, { ...segment, pair }, segment];
  const first = ['At the LAKE'];
  expect(await found(messagesOn(disk), 'lake', both)).toEqual([
    first,
    ['At the LAKE', 'a last LAKE'],
    first,
  ]);
  expect(await found(messagesOn(disk), 'two', [{ ...segment, pair }])).toEqual([['one\uffff two']]);
});

test('the app stores the texts of old segments while nobody searches, after each change of the contacts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stubBrowser();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const search = vi.fn<() => SearchWorkerClient>(() => ({
    find: (query: SegmentsQuery) => new SegmentSearch().find(query),
    stop() {},
  }));
  const repo = new Repo();
  const host: ThreadHost = {
    repo,
    removals: new DocumentRemovals('ann', repo, null, new Set()),
    confirmations: new Confirmations(new ConfirmedHeads(null), () => {}),
    tabs: noTabs as never,
    journal: new Journal({
      database: Promise.resolve(null),
      isClosed: false,
      noteRefusing() {},
      noteUnreadable() {},
    }),
    storage: disk,
    readStored: async () => null,
    onChange() {},
  };
  const threads = new ThreadDocuments('ann', new Summaries('ann'), host, search);
  vi.spyOn(threads, 'olderSegments').mockReturnValue([segment]);
  threads.follow({});
  await vi.advanceTimersByTimeAsync(9_000);
  expect(stored()).toEqual([]);
  // Not put off by another change.
  threads.follow({});
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.waitFor(() => expect(stored()).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(search).toHaveBeenCalledOnce();

  const [before] = A.getHeads(doc);
  doc = add('2', 'Another lake');
  await disk.save(['mine', 'incremental', 'b'], A.saveSince(doc, [before!]));
  threads.follow({});
  await vi.advanceTimersByTimeAsync(11_000);
  await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(2));
  await vi.waitFor(async () =>
    expect(await messagesOn(disk).unprepared([segment.pair])).toEqual([]),
  );
  threads.close();
});
