import type { AutomergeUrl, DocHandle, Repo } from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';
import { readThreads } from '#shared/chat/threads.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import type { RefusalReason } from '#shared/sync/refusals.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import { prefixOf } from '../../storage-keys.ts';
import type { Intent } from '../journal/journal.ts';
import { whenHere } from '../state/document-state.ts';
import { loadIntact } from '../storage/damaged-documents.ts';
import { unfinishedRemovals } from '../storage/document-removals.ts';
import type { LocalDatabase, Store } from '../storage/local-database.ts';
import { allUrls, leftUrls, type OwnUrls } from './own-documents.ts';
import type { UnsentChanges, RestoredChanges } from './unsent-changes.ts';
import type { Confirmations } from './unsynced-changes.ts';

/** Values of `localStorage` that may be unsent. The first two are of apps of the last release. */
const VALUES = ['carried-over-messages', 'unsent-segments', 'undecided-places', 'unsent-drafts'];

const isUnsentPicture = (row: { replaces?: unknown }) => row.replaces === undefined;

/** Selects the rows of each store that are unsent. */
const UNSENT_ROWS = {
  outbox: ({ isAnswered }: { isAnswered?: boolean }) => isAnswered !== true,
  pictures: isUnsentPicture,
  photos: isUnsentPicture,
  place_photos: isUnsentPicture,
  hazard_photos: isUnsentPicture,
  // As what is written: `unsent-drafts`.
  attached: () => true,
  sounds: (row: { image_key: string | null }) => row.image_key === null,
  // Stored nowhere else (decision 310).
  walks: () => true,
  journal: () => true,
} as const;

const idOf = (url: string): string => url.replace('automerge:', '');

/**
 * Reads everything unsent from a user's database: calls, pictures, recordings, and unconfirmed changes of the documents that the
 * user writes. Automerge must be initialized.
 * @returns null when nothing is unsent
 * @throws when the database cannot be read
 */
export async function collectUnsent(
  database: LocalDatabase,
  user: Pick<CurrentUser, 'id' | 'documents' | 'former_documents'>,
  at: number,
): Promise<UnsentChanges | null> {
  const rows: UnsentChanges['rows'] = [];
  for (const store of Object.keys(UNSENT_ROWS) as (keyof typeof UNSENT_ROWS)[])
    rows.push(...(await unsentRows(database, store)));
  const values = Object.fromEntries(
    VALUES.flatMap((name) => {
      const value = localStorage.getItem(prefixOf(user.id) + name);
      return value === null ? [] : [[name, value]];
    }),
  );

  const documents: UnsentChanges['documents'] = {};
  const journaled: string[] = [];
  const hashes = hashesIn(rows);
  let changes = 0;
  const visit = async (documentId: string) => {
    const found = await unsentOf(database, documentId, hashes);
    if (!found) return null;
    if (found.count > 0) documents[documentId] = found.bytes;
    if (found.isJournaled) journaled.push(documentId);
    changes += found.count;
    await nextTask();
    return found.doc;
  };
  const mine = new Set<string>();
  for (const url of new Set([...allUrls(user), ...leftUrls(user.id)]))
    // Contacts documents list the segments that the user writes.
    for (const { segments } of readThreads(await visit(idOf(url))))
      for (const segment of segments) mine.add(segment.mine);
  // What replaced a document that is being removed has what it had.
  for (const url of unfinishedRemovals(user.id)) mine.delete(url);
  for (const url of mine) await visit(idOf(url));

  const pictures = ['pictures', 'photos', 'place_photos', 'hazard_photos'] as const;
  const countOf = (store: Store) => rows.filter((row) => row.store === store).length;
  const count = {
    // The same changes, but for those that are in no document.
    changes: Math.max(changes, countOf('journal')),
    pictures: pictures.reduce((sum, store) => sum + countOf(store), 0),
    sounds: countOf('sounds'),
    actions: countOf('outbox'),
  };
  const isNothing = rows.length === 0 && changes === 0 && Object.keys(values).length === 0;
  return isNothing ? null : { user_id: user.id, at, count, rows, documents, journaled, values };
}

async function unsentRows(database: LocalDatabase, store: keyof typeof UNSENT_ROWS) {
  const [keys, values] = await database.read(store, (rows) =>
    Promise.all([rows.getAllKeys(), rows.getAll() as Promise<never[]>]),
  );
  return values.flatMap((value, i) =>
    UNSENT_ROWS[store](value) ? [{ store, key: keys[i]!, value: withoutProblem(value) }] : [],
  );
}

/** What the server refused is offered again by the next session, which says why if it is refused again. */
function withoutProblem(row: object): object {
  const { problem: _, ...others } = row as { problem?: string };
  return others;
}

/** Returns the hashes of the changes in the journal. */
function hashesIn(rows: UnsentChanges['rows']): ReadonlySet<string> {
  const made = rows.flatMap(({ store, value }) =>
    store === 'journal' ? ((value as Intent).made?.change ?? []) : [],
  );
  return new Set(made.map((change) => A.decodeChange(change).hash));
}

/** @param journaled hashes of the changes in the journal */
async function unsentOf(
  database: LocalDatabase,
  documentId: string,
  journaled: ReadonlySet<string>,
) {
  const stored = await readStoredDocument(database, documentId);
  if (!stored) return null;
  const { doc, confirmed } = stored;
  const changes = A.getChangesSince(doc, confirmed).map((change) => A.decodeChange(change));
  const count = changes.length;
  const bytes = count > 0 ? new Uint8Array(A.saveSince(doc, confirmed)) : new Uint8Array();
  // The next device that reads the messages notes that again.
  const receipts = ['received', 'read'].map((name) => A.getObjectId(doc, name));
  const isJournaled = changes.every(
    ({ hash, ops }) => journaled.has(hash) || ops.every(({ obj }) => receipts.includes(obj)),
  );
  return { doc, count, bytes, isJournaled };
}

/**
 * Reads a document, and the heads that the server confirmed. Some of those may be missing here; the others are enough to exclude
 * confirmed changes.
 * @returns null where the document is not on this device
 * @throws when the database cannot be read
 */
export async function readStoredDocument(
  database: LocalDatabase,
  documentId: string,
): Promise<{ doc: A.Doc<unknown>; confirmed: A.Heads } | null> {
  const chunks = [
    ...(await database.chunks.loadRange([documentId, 'snapshot'])),
    ...(await database.chunks.loadRange([documentId, 'incremental'])),
  ].flatMap(({ data }) => data ?? []);
  if (chunks.length === 0) return null;
  const doc = loadStored(chunks);
  const confirmed = await database.read('confirmed', (store): Promise<A.Heads | undefined> =>
    store.get(documentId),
  );
  return { doc, confirmed: (confirmed ?? []).filter((head) => A.hasHeads(doc, [head])) };
}

function loadStored(chunks: readonly Uint8Array[]): A.Doc<unknown> {
  try {
    return A.loadIncremental(A.init<unknown>(), concatenated(chunks));
  } catch {
    return loadIntact(chunks);
  }
}

function concatenated(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

interface Host {
  repo: Repo;
  confirmations: Pick<Confirmations, 'track' | 'heads'>;
  /** Ids of documents that the server does not have, by its own account over this connection. */
  missing: ReadonlySet<string>;
  /** Called when `refusal` may have changed. */
  onChange(): void;
  /** Called once a document has its changes, also on the disk. */
  onRestored(documentId: string, doc: unknown): void;
}

/** Applies the unsent changes of an earlier session to their documents, each as soon as it is on this device again. */
export class RestoredDocuments {
  readonly #repo: Repo;
  readonly #confirmations: Host['confirmations'];
  readonly #changes: RestoredChanges;
  readonly #host: Pick<Host, 'missing' | 'onChange' | 'onRestored'>;
  readonly #saving = new Set<string>();
  /** Ids of documents that lack what the changes depend on, here and on the server. */
  readonly #incomplete = new Set<string>();
  #isClosed = false;

  /** @param own documents that are open anyway; `apply` is called for them */
  constructor(host: Host, changes: RestoredChanges, own: OwnUrls) {
    this.#repo = host.repo;
    this.#confirmations = host.confirmations;
    this.#host = host;
    this.#changes = changes;
    this.#open(allUrls(own));
  }

  /** Opens thread segments with changes, even if no screen shows them. */
  #open(own: readonly string[]): void {
    for (const documentId of this.#changes.documentIds) {
      const url = `automerge:${documentId}`;
      if (own.includes(url)) continue;
      const { handle } = this.#repo.findWithProgress<unknown>(url as AutomergeUrl);
      // The server says only once what it has.
      this.#confirmations.track(handle);
      const apply = () => queueMicrotask(() => this.apply(handle));
      handle.on('heads-changed', apply);
      handle.on('remote-heads', apply);
      void whenHere(handle).then(apply);
      handle.whenReady(['unavailable']).then(apply, () => {});
    }
  }

  /** Applies changes to a document that arrived or changed, before screens read it. May be repeated. */
  apply(handle: DocHandle<unknown>): void {
    const { documentId } = handle;
    if (this.#isClosed || this.#saving.has(documentId)) return;
    const waiting = this.#changes.of(documentId);
    if (waiting.length === 0) return;
    if (!handle.isReady()) {
      if (this.#host.missing.has(documentId)) this.#noteIncomplete(documentId);
      return;
    }
    this.#saving.add(documentId);
    handle.update((doc) => waiting.reduce((all, bytes) => A.loadIncremental(all, bytes), doc));
    // Dependencies may still be missing: until they arrive, the changes are only in memory.
    if (A.getMissingDeps(handle.doc(), []).length > 0) {
      this.#saving.delete(documentId);
      const onServer = this.#confirmations.heads.get(documentId);
      if (onServer && A.hasHeads(handle.doc(), onServer)) this.#noteIncomplete(documentId);
      return;
    }
    this.#incomplete.delete(documentId);
    this.#repo
      .flush([documentId])
      .then(() => {
        if (!this.#isClosed) this.#host.onRestored(documentId, handle.doc());
        return this.#changes.done(documentId);
      })
      .catch((error: unknown) => {
        this.#saving.delete(documentId);
        console.error('Failed to restore unsent changes', error);
      });
  }

  /** Why the server does not have all changes of the earlier session; null if it can have them. Another device may bring what they lack. */
  get refusal(): RefusalReason | null {
    return this.#incomplete.size > 0 ? 'incomplete' : null;
  }

  /** After a restored backup, the server lacks what the changes depend on. What the journal has is made again. */
  #noteIncomplete(documentId: string): void {
    if (this.#incomplete.has(documentId)) return;
    if (this.#changes.isJournaled(documentId))
      return void this.#changes
        .done(documentId)
        .catch((error: unknown) => console.error('Failed to remove unsent changes', error));
    this.#incomplete.add(documentId);
    // The caller may be counting.
    queueMicrotask(this.#host.onChange);
  }

  close(): void {
    this.#isClosed = true;
  }
}
