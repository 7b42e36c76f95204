import type { SegmentPair } from '#shared/chat/threads.ts';
import { findOlder, type Progress } from '../../client/features/chat/search/message-search.ts';
import { OlderMessages } from '../../client/features/chat/search/older-messages.ts';
import {
  createSearchWorker,
  type SearchWorkerClient,
} from '../../client/features/chat/search/search-worker-client.ts';
import type { ThreadDocuments } from '../../client/features/chat/thread/thread-documents.ts';
import { rememberUser } from '../../client/platform/session/remembered-user.ts';
import { ChunkStorage } from '../../client/platform/sync/storage/chunk-storage.ts';
import { openDatabase } from '../../client/platform/sync/storage/local-database.ts';
import { SEGMENTS_PATH, type Segments } from './segments.ts';

const USER = 'owner';
// Nothing is stored of anybody who is not signed in.
rememberUser({ id: USER } as Parameters<typeof rememberUser>[0]);

const urlOf = (number: number, side: string) => `automerge:${side}${number}`;
const pairsOf = (count: number): SegmentPair[] =>
  Array.from({ length: count }, (_, i) => ({
    number: count - i,
    mine: urlOf(count - i, 'mine'),
    theirs: urlOf(count - i, 'theirs'),
  }));

/** Chromium slows the page's thread down, but no worker: what waits for one waits longer here. */
const slowed = (worker: SearchWorkerClient, slowdown: number): SearchWorkerClient => ({
  ...worker,
  async find(query) {
    const from = performance.now();
    const answer = await worker.find(query);
    const more = (performance.now() - from) * (slowdown - 1);
    await new Promise((resolve) => setTimeout(resolve, more));
    return answer;
  },
});

async function openDevice(slowdown = 1) {
  const storage = new ChunkStorage(await openDatabase(USER), () => {}, new Set());
  const older = new OlderMessages(storage, () => slowed(createSearchWorker(), slowdown));
  return { storage, older };
}

/** What `bench/search.ts` calls. */
const benchPage = {
  /** Stores segments on this device, as the Repo does. */
  async fill(count: number): Promise<void> {
    const { storage } = await openDevice();
    const { usual, oldest } = (await (await fetch(SEGMENTS_PATH)).json()) as Segments;
    const urls = pairsOf(count).flatMap(({ mine, theirs }) => [mine, theirs]);
    for (const [i, url] of urls.entries()) {
      const base64 = i === urls.length - 1 ? oldest : usual[i % usual.length]!;
      const data = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
      await storage.save([url.replace('automerge:', ''), 'snapshot', url], data);
    }
  },

  /** Stores the texts of all segments, as the app does after a while. */
  async prepare(count: number): Promise<void> {
    const { older } = await openDevice();
    const pairs = pairsOf(count);
    for (const pair of await older.unprepared(pairs)) await older.prepare(pair);
    while ((await older.unprepared(pairs)).length > 0);
  },

  /** Searches for one query after another, as after a start of the app. @returns how long each took, in ms, and how much was found */
  async search(count: number, queries: readonly string[], slowdown: number) {
    const { older } = await openDevice(slowdown);
    const segments = pairsOf(count).map((pair) => ({ friend_user_id: 'friend', pair }));
    const threads = { older, olderSegments: () => segments } as unknown as ThreadDocuments;
    const results: { ms: number; found: number }[] = [];
    for (const words of queries) {
      const from = performance.now();
      const steps: Progress[] = [];
      await findOlder(threads, words, {
        friendUserId: null,
        askServer: null,
        signal: new AbortController().signal,
        onProgress: (progress) => steps.push(progress),
      });
      const { found, isIncomplete } = steps.at(-1)!;
      if (isIncomplete) throw new Error('Not all segments were searched');
      results.push({ ms: performance.now() - from, found: found.length });
    }
    return results;
  },
};
Object.assign(window, { benchPage });
export type BenchPage = typeof benchPage;
