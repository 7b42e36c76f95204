import type { DocHandle, Repo } from '@automerge/automerge-repo/slim';
import { readSharing } from '#shared/account/sharing.ts';
import {
  OWN_KINDS,
  type ChangeInput,
  type ChangeName,
  type OwnKind,
} from '#shared/document-kinds.ts';
import { readCard } from '#shared/profile/document.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { reachability } from '../../http/reachability.ts';
import { RetryTimer } from '../../http/retry.ts';
import { announceNewer } from '../../install/register-service-worker.ts';
import { importWithRetry } from '../../lazy/import-with-retry.ts';
import { afterPaint } from '../../scheduling/after-paint.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import { Store } from '../../store.ts';
import { NoRoomError } from '../bounds/no-room-error.ts';
import type { RefusedDocuments } from '../connection/refused-documents.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import { Journal } from '../journal/journal.ts';
import { ownChange, OwnIntents } from '../journal/own-intents.ts';
import {
  LOADING,
  NO_SYNC,
  readState,
  UNAVAILABLE,
  type DocumentState,
  type SyncState,
} from '../state/document-state.ts';
import { obstacleOf } from '../state/obstacle.ts';
import { ChunkStorage } from '../storage/chunk-storage.ts';
import type { LocalDatabase } from '../storage/local-database.ts';
import { requestPersistentStorage } from '../storage/persistent-storage.ts';
import type { CrossTabSync } from '../tabs/cross-tab-sync.ts';
import type { ApiDocuments } from './api-documents.ts';
import { keepCard, keepSharing } from './card-cache.ts';
import { OpenParts, type DocumentsLifetime, type DocumentsPart } from './documents-part.ts';
import type { FriendCards } from './friend-cards.ts';
import type { LeftOutDocuments } from './left-out-documents.ts';
import { loadAutomerge } from './load-automerge.ts';
import type { OwnDocuments, OwnUrls } from './own-documents.ts';
import { SessionCheck } from './session-check.ts';
import { StorageHealth } from './storage-health.ts';
import { openWithUnsent, type RestoredChanges } from './unsent-changes.ts';
import type { RestoredDocuments } from './unsent-documents.ts';
import type { Confirmations } from './unsynced-changes.ts';

/** A document on this device is open by then; the next one does not wait longer. */
const LOADS_WITHIN_MS = 100;
/** How soon an edit is on this device's disk. */
const SAVE_AFTER_MS = 10;
/** The longest that the end of a session waits for unsaved edits. */
const FLUSH_WITHIN_MS = 3_000;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The codes with which the server answers what is no message of the protocol. */
const NOT_UNDERSTOOD: number[] = [closeCodes.unsupported, closeCodes.policy, closeCodes.tooLarge];

/** The documents of one user on this device: stored in IndexedDB, synchronized with the server whenever there is a connection. */
export class UserDocuments extends Store implements DocumentsLifetime {
  readonly userId: string;
  /** Whether nothing is stored or sent from here any more. */
  isClosed = false;
  #isStarted = false;
  /** Settles when the database of this device is open; null where the browser refuses it. */
  readonly database: Promise<LocalDatabase | null>;
  #urls: OwnUrls;
  readonly #documents = new Map<OwnKind, DocumentState>();
  /** What the user did and the server may not have. */
  readonly #journal: Journal;
  readonly #intents: OwnIntents;
  #automerge: Awaited<ReturnType<typeof loadAutomerge>> | null = null;
  readonly #health = new StorageHealth((change) => this.#set(change));
  readonly noteRefusing = this.#health.noteRefusing;
  readonly noteUnreadable = this.#health.noteUnreadable;
  /** Notified when the browser deleted what was stored. */
  readonly losses = new Store();
  /** Documents that the server does not have, by its own account over this connection. */
  readonly #missing = new Set<string>();
  #state: SyncState = { ...NO_SYNC, connection: 'connecting', isUnread: true };
  /** The documents of the API, while others can't be opened. */
  #api: ApiDocuments | null = null;
  repo: Repo | null = null;
  /** The friends' cards; null until documents are open. */
  friendCards: FriendCards | null = null;
  readonly #parts: OpenParts;
  readonly #closers: (() => void)[] = [];
  #storage: ChunkStorage | null = null;
  #server: ServerConnection | null = null;
  #tabs: CrossTabSync | null = null;
  #confirmations: Confirmations | null = null;
  #refusals: RefusedDocuments | null = null;
  #leftOut: LeftOutDocuments | null = null;
  own: OwnDocuments | null = null;
  #restored: RestoredChanges | null = null;
  #restoredDocuments: RestoredDocuments | null = null;
  readonly #session = new SessionCheck();
  readonly #retry = new RetryTimer(() => void this.#tryToOpen());

  /** @param findParts finds what features open beside the user's own documents */
  constructor(user: CurrentUser, findParts: () => Promise<readonly DocumentsPart[]>) {
    super();
    this.#parts = new OpenParts(findParts);
    this.userId = user.id;
    this.#urls = user;
    const events = { onRemoved: this.close, onUpgraded: announceNewer, onLost: this.#onLost };
    this.database = openWithUnsent(
      user.id,
      { ...events, onUnreadable: () => this.noteUnreadable('documents', true) },
      (restored) => (this.#restored = restored),
    );
    // Threads look again for what they have in one that was read late.
    const follow = () => this.#parts.follow(this.getDocument('contacts').doc);
    const isLeft = (id: string) => this.own?.isLeft(id) ?? false;
    this.#journal = new Journal(this, () => queueMicrotask(this.#review), follow, isLeft);
    this.#intents = new OwnIntents(user.id, this.#journal);
  }

  readonly getSyncState = (): SyncState => this.#state;

  readonly getDocument = (kind: OwnKind): DocumentState => this.#documents.get(kind) ?? LOADING;

  /** Reads what other tabs wrote. */
  readonly readJournal = (): Promise<void> => this.#journal.readAgain();

  /** Returns the documents of a feature; null until they are open. */
  readonly part: OpenParts['get'] = (of) => this.#parts.get(of);

  readonly onClose = (run: () => void): void =>
    void (this.isClosed ? run() : this.#closers.push(run));

  /**
   * Makes a named change of a document: on this device at once, or as soon as the document is open; on the server as soon
   * as there is a connection.
   * @throws ZodError when the input does not fit
   * @throws NoRoomError when our server would refuse it
   * @throws when there is no such change, or the document is unavailable or closed
   */
  change<K extends OwnKind, N extends ChangeName<K>>(
    kind: K,
    name: N,
    input: ChangeInput<K, N>,
  ): void {
    if (this.isClosed || this.getDocument(kind).status === 'unavailable')
      throw new Error(`The ${kind} document is not loaded`);
    const change = ownChange(kind, name, input);
    if (this.#api && !this.#api.sends(name)) return this.#api.change(change);
    try {
      const id = this.#intents.write(change);
      if (this.#api) return this.#intents.handOver(this.#api);
      this.#carryOutIntents(id);
      this.#set({ hasNoRoom: false });
    } catch (error) {
      this.#set({ hasNoRoom: error instanceof NoRoomError });
      throw error;
    }
    void requestPersistentStorage();
  }

  #carryOutIntents(now?: string): void {
    const handleOf = (kind: OwnKind, madeIn = '') => {
      const handle = this.own?.isAwaited(madeIn) ? undefined : this.own?.get(kind);
      return handle && this.getDocument(kind).status === 'ready' ? handle : null;
    };
    if (this.#automerge) this.#intents.carryOut(this.#automerge.carryOut, handleOf, now);
  }

  /** Closes the connection and the database. */
  readonly close = (): void => {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#retry.stop();
    this.#session.close();
    this.#api?.close();
    for (const run of this.#closers) run();
    this.#release();
    this.#storage?.close();
    void this.database.then((database) => database?.close());
    // The caller may be rendering, and subscribers must not be notified then.
    queueMicrotask(() => this.#set({ connection: 'offline' }));
  };

  /** Closes all that `open` made. The database stays open for another attempt. */
  #release(): void {
    this.friendCards?.close();
    this.#parts.close();
    this.#restoredDocuments?.close();
    this.#tabs?.close();
    this.#refusals?.close();
    this.#server?.disconnect();
  }

  /** Opens the documents, once. Screens call this after their first render: it is too heavy for a phone to do before. */
  readonly start = (): void => {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#journal.load();
    void this.#tryToOpen();
  };

  async #tryToOpen(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      if (!this.#api) console.error('Failed to open documents', error);
      this.#release();
      if (!this.#api) {
        for (const kind of OWN_KINDS) this.#documents.set(kind, UNAVAILABLE);
        this.#set({ connection: 'offline' });
      }
      const obstacle = await obstacleOf(error);
      this.#set({ obstacle });
      if (this.isClosed) return;
      if (obstacle !== 'no-network') await this.#openByApi();
      this.#retry.failed();
    }
  }

  /** Reads what walks need from the API. */
  async #openByApi(): Promise<void> {
    try {
      const { ApiDocuments } = await importWithRetry(() => import('./api-documents.ts'));
      if (this.isClosed) return;
      const api =
        this.#api ?? new ApiDocuments(this.userId, () => this.#api && this.#showApi(this.#api));
      await api.load();
      if (this.isClosed) return;
      this.#api = api;
      this.#showApi(api);
      // Those that waited for the documents.
      this.#intents.handOver(api);
    } catch (error) {
      console.error('Failed to load the profile', error);
    }
  }

  #showApi(api: ApiDocuments): void {
    for (const kind of ['card', 'account'] as const) {
      const doc = api.get(kind);
      if (doc !== this.getDocument(kind).doc) this.#setDocument(kind, { status: 'ready', doc });
    }
    const unconfirmed = api.unsaved;
    const connection = reachability.get() ? 'connected' : 'offline';
    this.#set({ connection, isConfirmed: unconfirmed === 0, isCompared: true, unconfirmed });
    this.notify();
  }

  async #open(): Promise<void> {
    const { isUrgent, opening } = await this.#parts.load();
    const loading = [this.database, loadAutomerge(isUrgent), opening] as const;
    const [database, automerge, openParts] = await Promise.all(loading);
    const { ServerConnection, StateComparison, ConfirmedHeads, Confirmations } = automerge;
    const { RefusedDocuments, RestoredDocuments, LeftOutDocuments } = automerge;
    const removedIds = new Set<string>();
    await this.#journal.load();
    if (this.isClosed) return;
    this.#automerge = automerge;
    this.#storage =
      database &&
      new ChunkStorage(database, (failing) => this.noteRefusing('documents', failing), removedIds);
    await automerge.warmUp(
      await this.#storage?.sample(this.#urls.documents.card.replace('automerge:', '')),
    );
    if (this.isClosed) return;
    const { userId } = this;
    const refusals = new RefusedDocuments(userId, () => this.#server?.offerAgain());
    this.#refusals = refusals;
    const reviewSoon = () => queueMicrotask(this.#review);
    const leftOut = (this.#leftOut = new LeftOutDocuments(() => this, reviewSoon));
    const confirmations = new Confirmations(new ConfirmedHeads(database), this.#review, {
      refusals,
      settle: (id, doc, confirmed) => automerge.settleIntents(this.#journal, id, doc, confirmed),
      hasLeftOut: leftOut.has,
      intentsIn: (id) => this.#journal.countIn(id),
    });
    this.#confirmations = confirmations;
    const { protocol, host } = window.location;
    this.#server = new ServerConnection(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/sync`, {
      onState: (connection) => {
        this.#missing.clear();
        const isConnected = connection === 'connected';
        if (isConnected) void this.readJournal();
        if (isConnected) this.#session.connected();
        confirmations.forgetComparisons();
        this.own?.forgetComparisons();
        this.#set({ connection, ...(isConnected && { isRejected: false }) });
        this.#review();
      },
      onRefused: (code) => {
        this.#set({ isRejected: NOT_UNDERSTOOD.includes(code) });
        void this.#session.hungUp(code);
      },
      refusals: {
        add: (documentId, reason) => {
          if (this.own?.isFormer(documentId))
            return void (reason === 'unavailable' && this.own.noteUnavailable(documentId));
          if (reason === 'not_yours') this.#session.askSoon();
          refusals.add(documentId, reason);
          reviewSoon();
        },
        isHeld: (documentId) =>
          refusals.isHeld(documentId) || Boolean(this.own?.isFormer(documentId)),
      },
      incoming: leftOut,
    });
    this.#server.on('message', ({ type, documentId }) => {
      if (!documentId) return;
      confirmations.noteCompared(documentId);
      if (type === 'sync') {
        leftOut.arrived(documentId);
        this.own?.noteCompared(documentId);
      }
      if (type !== 'doc-unavailable') return;
      this.#missing.add(documentId);
      this.#review();
    });
    const options = { storage: this.#storage ?? undefined, saveDebounceRate: SAVE_AFTER_MS };
    const comparison = new StateComparison(this.#server, options, removedIds, reviewSoon);
    comparison.onSame = (documentId) => {
      this.own?.noteCompared(documentId);
      confirmations.noteCompared(documentId);
    };
    const { damaged, repo } = comparison;
    this.repo = repo;
    const tabs = (this.#tabs = new automerge.CrossTabSync(userId, this.close));
    const removals = new automerge.DocumentRemovals(userId, repo, this.#storage, removedIds);
    this.friendCards = new automerge.FriendCards(userId, repo, removals, this.notify);
    const shared = { userId, repo, removals, confirmations, tabs, journal: this.#journal };
    const readStored = async (id: string) => database && automerge.readStoredDocument(database, id);
    openParts(this, { ...shared, storage: this.#storage, readStored, onChange: this.notify });
    if (!database) this.#set({ storage: 'memory' });
    this.#storeAgain();
    if (this.#api) {
      this.#api.close();
      this.#api = null;
      this.#documents.clear();
    }
    this.#set({ obstacle: null });
    const restored = this.#restored;
    const state = { restored, missing: this.#missing, damaged, onChange: this.#review };
    const restoring = { ...shared, ...state, onRestored: this.#parts.restored };
    if (restored) this.#restoredDocuments = new RestoredDocuments(restoring, restored, this.#urls);
    const own = new automerge.OwnDocuments({ ...shared, ...state, database, leftOut }, this.#urls);
    this.own = own;
    await nextTask();
    // The contacts document says where a thread is.
    for (const kind of isUrgent ? OWN_KINDS.toReversed() : OWN_KINDS) {
      // One at a time: loading all three at once would delay the answer to a tap.
      await Promise.race([this.#follow(kind, own), wait(LOADS_WITHIN_MS)]);
      await afterPaint();
      if (this.isClosed) return;
    }
    this.#review();
  }

  /** Settles when all edits are on this device's disk, or after `FLUSH_WITHIN_MS`. */
  async flush(): Promise<void> {
    // Of documents that are still loading, the journal has what is new.
    await Promise.race([this.#journal.flush(), wait(FLUSH_WITHIN_MS)]);
    // The Repo cannot flush a document that is still loading, and nothing is new in it.
    const ready = Object.values(this.repo?.handles ?? {}).filter((handle) => handle.isReady());
    const flushed = this.repo?.flush(ready.map(({ documentId }) => documentId));
    await Promise.race([flushed, wait(FLUSH_WITHIN_MS)]);
  }

  /** Opens a document. Settles when it is on this device, or is known not to be. */
  async #follow(kind: OwnKind, own: OwnDocuments): Promise<void> {
    const handle = await own.open(kind);
    return handle.whenReady(['ready', 'unavailable']).then(nextTask, nextTask).then(this.#review);
  }

  /** Follows the documents that the server names now. */
  moveTo(urls: OwnUrls): void {
    this.#urls = urls;
    if (this.isClosed || !this.own) return;
    this.own.moveTo(urls);
    this.#review();
  }

  /** The browser deleted what was stored: says so, and stores again what this page has. */
  readonly #onLost = (): void => {
    this.#set({ hasLostStorage: true });
    this.losses.notify();
    this.#storeAgain();
  };

  #storeAgain(): void {
    if (!this.#state.hasLostStorage || !this.repo || !this.#storage) return;
    for (const handle of Object.values(this.repo.handles))
      if (handle.isReady()) this.#automerge?.storeWhole(this.#storage, handle);
  }

  /** Reads the documents again, and which of their changes the server has. */
  readonly #review = () => {
    if (this.isClosed) return;
    const isOffline = this.#state.connection === 'offline';
    const isGone = (handle: DocHandle<unknown>) =>
      this.#missing.has(handle.documentId) || (isOffline && handle.isUnavailable());
    let hasChanged = false;
    if (this.own) this.#intents.repeat(this.own.settle());
    for (const kind of OWN_KINDS) {
      const handle = this.own?.get(kind);
      if (handle) this.#restoredDocuments?.apply(handle);
      const state = handle && readState(handle, this.#documents.get(kind), isGone(handle));
      if (!state || state === this.#documents.get(kind)) continue;
      this.#setDocument(kind, state);
      hasChanged = true;
    }
    const isAllHere = OWN_KINDS.every((kind) => this.own?.get(kind));
    this.#carryOutIntents();
    const { isConfirmed, isCompared, unconfirmed, refused, refusal } =
      this.#confirmations?.sum() ?? NO_SYNC;
    // What is in no document that is open here.
    const counts = (documentId: string) => this.#confirmations?.counts(documentId) ?? false;
    const { waiting, leftOut } = this.#journal.loose(counts);
    this.#set({
      isConfirmed: isConfirmed && isAllHere && waiting === 0 && this.#journal.isRead,
      isUnread: !this.#journal.isRead,
      unconfirmed: unconfirmed + waiting,
      hasLeftOut: this.#leftOut?.isEmpty === false,
      isCompared,
      refused: refused + leftOut,
      refusal: refusal ?? this.#restoredDocuments?.refusal ?? (leftOut > 0 ? 'full' : null),
    });
    if (hasChanged) this.notify();
    this.#server?.watchForStall(this.#state.isConfirmed && this.#state.isCompared);
  };

  #setDocument(kind: OwnKind, state: DocumentState): void {
    this.#documents.set(kind, state);
    if (state.status !== 'ready') return;
    if (kind === 'card') keepCard(this.userId, readCard(state.doc));
    const sharing = kind === 'account' ? readSharing(state.doc) : null;
    if (sharing !== null) keepSharing(this.userId, sharing);
    if (kind === 'contacts') {
      this.friendCards?.follow(state.doc);
      this.#parts.follow(state.doc);
    }
  }

  #set(change: Partial<SyncState>): void {
    const keys = Object.keys(change) as (keyof SyncState)[];
    if (keys.every((key) => change[key] === this.#state[key])) return;
    this.#state = { ...this.#state, ...change };
    this.notify();
  }
}
