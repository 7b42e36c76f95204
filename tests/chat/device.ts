import { Repo, type AutomergeUrl, type DocHandle } from '@automerge/automerge-repo';
import { vi } from 'vitest';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { Summaries } from '../../client/features/chat/conversations/conversation-cache.ts';
import type { SearchWorkerClient } from '../../client/features/chat/search/search-worker-client.ts';
import { SegmentSearch } from '../../client/features/chat/search/segment-search.ts';
import { ThreadDocuments } from '../../client/features/chat/thread/thread-documents.ts';
import type { ShownMessage } from '../../client/features/chat/types.ts';
import {
  Confirmations,
  ConfirmedHeads,
} from '../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../client/platform/sync/journal/journal.ts';
import { settleIntents } from '../../client/platform/sync/journal/replay.ts';
import { DocumentRemovals } from '../../client/platform/sync/storage/document-removals.ts';
import type { DocumentStorage } from '../../client/platform/sync/storage/document-storage.ts';
import type { TestApi, TestPerson } from '../api.ts';
import { Adapter, Line } from '../sync.ts';

/** A user's device: the client's threads on a stock Repo, over a connection that can be cut. */
export interface ChatDevice {
  repo: Repo;
  journal: Journal;
  threads: ThreadDocuments;
  summaries: Summaries;
  cut(): void;
  restore(): void;
  /** Returns the messages of the thread with a friend, as a screen would show them. */
  shown(friend: TestPerson): readonly ShownMessage[];
  texts(friend: TestPerson): string[];
  /** @throws when writing is not allowed */
  send(friend: TestPerson, text: string): void;
  /** Opens any segment by its URL, as a malicious device could. */
  segment(url: string): Promise<DocHandle<SegmentDocument>>;
}

export const noTabs = { share() {}, unshare() {}, close() {} };
/** Runs the client's search worker in this process. */
function searchHere(): SearchWorkerClient {
  const search = new SegmentSearch();
  return { find: (query) => search.find(query), stop() {} };
}
const closers: (() => void)[] = [];
/** What devices store in addition to the documents in their storage. */
const journals = new WeakMap<DocumentStorage, Journal>();

function journalOn(storage: DocumentStorage | undefined): Journal {
  const journal =
    (storage && journals.get(storage)) ??
    new Journal({
      database: Promise.resolve(null),
      isClosed: false,
      noteRefusing() {},
      noteUnreadable() {},
    });
  if (storage) journals.set(storage, journal);
  return journal;
}

/** Stubs the browser APIs that the client code uses. */
export function stubBrowser(): void {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', {
    visibilityState: 'visible',
    addEventListener() {},
    removeEventListener() {},
  });
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => setTimeout(then));
  vi.stubGlobal('localStorage', { getItem: () => null, setItem() {} });
}

export function closeDevices(): void {
  for (const close of closers.splice(0)) close();
}

/**
 * Creates a device with a loaded contacts document that its threads follow.
 * @param storage the storage of the device, which may hold earlier data; none by default
 */
export async function deviceOf(
  api: TestApi,
  { user, jar }: TestPerson,
  storage?: DocumentStorage,
): Promise<ChatDevice> {
  const cookie = jar.header;
  const origin = api.env['PUBLIC_ORIGIN'] ?? '';
  const line = new Line(() => api.syncPort, { cookie, origin });
  const adapter = new Adapter(await line.open(), 300);
  const removedIds = new Set<string>();
  const isHere = async (_peer: unknown, id?: string) => id === undefined || !removedIds.has(id);
  const repo = new Repo({
    network: [adapter],
    ...(storage && { storage }),
    // Like the client, accept nothing for removed documents.
    shareConfig: { announce: isHere, access: isHere },
  });
  await new Promise<void>((resolve) => repo.networkSubsystem.once('peer', () => resolve()));
  const summaries = new Summaries(user.id);
  const journal = journalOn(storage);
  const confirmations: Confirmations = new Confirmations(
    new ConfirmedHeads(null),
    () => void confirmations.sum(),
    { settle: (id, doc, confirmed) => settleIntents(journal, id, doc, confirmed) },
  );
  const host = {
    repo,
    removals: new DocumentRemovals(user.id, repo, null, removedIds),
    confirmations,
    tabs: noTabs as never,
    journal,
    storage: storage ?? null,
    readStored: async () => null,
    onChange() {},
  };
  const threads = new ThreadDocuments(user.id, summaries, host, searchHere);
  const contacts = await repo.find(user.documents.contacts as AutomergeUrl);
  const follow = () => threads.follow(contacts.doc());
  contacts.on('heads-changed', follow);
  follow();
  closers.push(() => {
    threads.close();
    adapter.disconnect();
    line.close();
  });
  const thread = (friend: TestPerson) => {
    const found = threads.get(friend.user.id);
    if (!found) throw new Error('no thread');
    return found;
  };
  const shown = (friend: TestPerson) => threads.get(friend.user.id)?.getView().messages ?? [];
  return {
    repo,
    journal,
    threads,
    summaries,
    cut: () => line.cut(),
    restore: () => line.restore(),
    shown,
    texts: (friend) => shown(friend).map(({ text }) => text),
    send: (friend, text) => thread(friend).send(text),
    segment: (url) => repo.find<SegmentDocument>(url as AutomergeUrl),
  };
}
