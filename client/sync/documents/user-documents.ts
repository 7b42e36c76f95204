import type { AutomergeUrl, DocHandle, Repo } from '@automerge/automerge-repo/slim';
import {
  OWN_KINDS,
  type ChangeInput,
  type ChangeName,
  type OwnKind,
} from '#shared/document-kinds.ts';
import { readCard, type Card } from '#shared/profile/document.ts';
import { readSharing } from '#shared/profile/sharing.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { isChatShown } from '../../chat/chat-path.ts';
import { Summaries } from '../../chat/conversations/conversation-cache.ts';
import type { ThreadDocuments } from '../../chat/thread/thread-store.ts';
import type { FriendCards } from '../../friends/friend-cards.ts';
import { announceNewer } from '../../install/register-service-worker.ts';
import { keepCard, keepSharing } from '../../profile/card-cache.ts';
import { afterPaint } from '../../scheduling/after-paint.ts';
import { ChunkStorage } from '../storage/chunk-storage.ts';
import type { Confirmations } from './unsynced-changes.ts';
import type { DocumentState, SyncState } from './document-state.ts';
import { EarlyChanges } from './pending-changes.ts';
import { flushTyped } from './flush.ts';
import { keepStorage } from '../storage/request-persistent-storage.ts';
import { openWithUnsent, type RestoredChanges } from './restore-unsent.ts';
import type { RestoredDocuments } from './restored-documents.ts';
import { loadAutomerge } from './load-automerge.ts';
import { NO_TIME } from './no-time.ts';
import type { LocalDatabase } from '../storage/local-database.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import { RetryTimer } from '../outbox/retry-timer.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import { sessionCheck } from '../connection/session-check.ts';
import { ConnectionStallDetector } from '../connection/stall-detector.ts';
import type { Tabs } from '../tabs/cross-tab-sync.ts';
import { Store } from '../../store.ts';

/** What is on this device is open by then; what is not, the next document does not wait for. */
const LOADS_WITHIN_MS = 100;
/** How soon an edit is on this device's disk. */
const KEEP_AFTER_MS = 10;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const LOADING: DocumentState = { status: 'loading', doc: null };
const NOTHING_CONFIRMED = { isConfirmed: false, unconfirmed: 0 };
const UNAVAILABLE: DocumentState = { status: 'unavailable', doc: null };

/** The documents of one user on this device: kept in IndexedDB, synchronised with the server whenever there is one. */
export class UserDocuments extends Store {
  readonly userId: string;
  /** Whether nothing is kept or sent from here any more. */
  isClosed = false;
  private isStarted = false;
  /** Settles when the database of this device is open, or is known to be closed to us (null). */
  readonly database: Promise<LocalDatabase | null>;
  private readonly urls: CurrentUser['documents'];
  private readonly documents = new Map<OwnKind, DocumentState>();
  private readonly handles = new Map<OwnKind, DocHandle<unknown>>();
  private readonly early = new EarlyChanges();
  /** What the server says it has not, over this connection. */
  private readonly missing = new Set<string>();
  private state: SyncState = {
    connection: 'connecting',
    isConfirmed: false,
    unconfirmed: 0,
    storage: 'device',
  };
  private repo: Repo | null = null;
  private friendCards: FriendCards | null = null;
  /** The threads with friends; null until documents are open. */
  threads: ThreadDocuments | null = null;
  /** What the threads came to when they were last open, there from the start. */
  readonly conversations: Summaries;
  private storage: ChunkStorage | null = null;
  private server: ServerConnection | null = null;
  private tabs: Tabs | null = null;
  private confirmations: Confirmations | null = null;
  private restored: RestoredChanges | null = null;
  private restoredDocuments: RestoredDocuments | null = null;
  private readonly stall = new ConnectionStallDetector(() => this.server?.redial());
  private readonly checkSession = sessionCheck(() => this.close());
  private readonly retry = new RetryTimer(() => void this.tryToOpen());

  constructor(user: CurrentUser) {
    super();
    this.userId = user.id;
    this.urls = user.documents;
    this.conversations = new Summaries(user.id);
    const told = { onRemoved: this.close, onUpgraded: announceNewer };
    this.database = openWithUnsent(user.id, told, (restored) => (this.restored = restored));
  }

  readonly getSyncState = (): SyncState => this.state;

  getDocument(kind: OwnKind): DocumentState {
    return this.documents.get(kind) ?? LOADING;
  }

  /** A friend's card by its URL; null while it is not on this device. */
  getFriendCard(url: string): Card | null {
    return this.friendCards?.get(url) ?? null;
  }

  /**
   * Makes a named change of a document, on this device and at once, or as soon as the document is open; the server
   * hears of it when it can.
   * @throws ZodError when the input does not fit
   * @throws when the document is not loaded, or no longer since these are closed
   */
  change<K extends OwnKind, N extends ChangeName<K>>(
    kind: K,
    name: N,
    input: ChangeInput<K, N>,
  ): void {
    if (this.isClosed || this.getDocument(kind).status === 'unavailable')
      throw new Error(`The ${kind} document is not loaded`);
    this.early.add(kind, name, input);
    this.early.applyTo(this.opened);
    void keepStorage();
  }

  private readonly opened = (kind: OwnKind) => {
    const handle = this.handles.get(kind);
    const isOpen = handle && this.getDocument(kind).status === 'ready';
    return isOpen ? (apply: (doc: unknown) => void) => handle.change(apply, NO_TIME) : null;
  };

  /** Lets go of the connection and the database. */
  readonly close = (): void => {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stall.stop();
    this.retry.stop();
    this.conversations.close();
    this.letGo();
    this.storage?.close();
    void this.database.then((database) => database?.close());
    // Not at once: whoever closes may be in the midst of drawing.
    queueMicrotask(() => this.set({ connection: 'offline' }));
  };

  /** Lets go of what `open` made. The database stays open for another attempt. */
  private letGo(): void {
    this.friendCards?.close();
    this.threads?.close();
    this.restoredDocuments?.close();
    this.tabs?.close();
    this.server?.disconnect();
  }

  /**
   * Opens the documents, once. Apart from the constructor: a screen that shows what it remembers asks for this when it
   * is drawn, because it is too heavy for a phone to do before.
   */
  readonly start = (): void => {
    if (this.isStarted) return;
    this.isStarted = true;
    void this.tryToOpen();
  };

  private async tryToOpen(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      console.error('Failed to open documents', error);
      for (const kind of OWN_KINDS) this.documents.set(kind, UNAVAILABLE);
      this.letGo();
      this.set({ connection: 'offline' });
      if (!this.isClosed) this.retry.failed();
    }
  }

  private async open(): Promise<void> {
    const [database, automerge] = await Promise.all([this.database, loadAutomerge()]);
    const { ServerConnection, Comparison, ConfirmedHeads, Confirmations } = automerge;
    if (this.isClosed) return;
    const gone = new Set<string>();
    this.storage = database && new ChunkStorage(database, this.onStorageFailing, gone);
    await automerge.warmUp(await this.storage?.sample(this.urls.card.replace('automerge:', '')));
    if (this.isClosed) return;
    const confirmations = new Confirmations(new ConfirmedHeads(database), this.review);
    this.confirmations = confirmations;
    const { protocol, host } = window.location;
    this.server = new ServerConnection(
      `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/sync`,
      (connection) => {
        this.missing.clear();
        this.set({ connection });
        this.review();
      },
      () => void this.checkSession(),
    );
    this.server.on('message', (message) => {
      if (message.type !== 'doc-unavailable' || !message.documentId) return;
      this.missing.add(message.documentId);
      this.review();
    });
    const options = { storage: this.storage ?? undefined, saveDebounceRate: KEEP_AFTER_MS };
    this.repo = new Comparison(this.server, options, gone).repo;
    const tabs = new automerge.Tabs(this.userId, this.close);
    this.tabs = tabs;
    const removals = new automerge.Removals(this.userId, this.repo, this.storage, gone);
    this.friendCards = new automerge.FriendCards(this.userId, this.repo, removals, this.notify);
    this.threads = new automerge.ThreadDocuments(
      this.userId,
      this.conversations,
      { repo: this.repo, removals, confirmations, tabs, onChange: this.notify },
      automerge.createSearchWorker,
    );
    if (!database) this.set({ storage: 'memory' });
    if (this.restored)
      this.restoredDocuments = new automerge.RestoredDocuments(this.repo, this.restored, this.urls);
    await nextTask();
    // The contacts document says where a thread is.
    for (const kind of isChatShown() ? OWN_KINDS.toReversed() : OWN_KINDS) {
      // One at a time, or loading all three would hold up whoever presses something now.
      await Promise.race([this.follow(kind, this.repo), wait(LOADS_WITHIN_MS)]);
      await afterPaint();
      if (this.isClosed) return;
    }
    this.review();
  }

  /** Settles when what was typed is on this device's disk, or cannot get there for now. */
  readonly flush = () => flushTyped(this.getRepo, this.hasEarly);
  private readonly getRepo = () => this.repo;
  private readonly hasEarly = () => this.isStarted && !this.early.isEmpty;

  /** Settles when the document is here, or is known not to be. */
  private follow(kind: OwnKind, repo: Repo): Promise<void> {
    const { handle } = repo.findWithProgress<unknown>(this.urls[kind] as AutomergeUrl);
    this.handles.set(kind, handle);
    this.confirmations?.track(handle, true);
    this.tabs?.share(handle);
    const isKnown = handle.whenReady(['ready', 'unavailable']).then(nextTask, nextTask);
    return isKnown.then(this.review);
  }

  private readonly onStorageFailing = (failing: boolean) =>
    this.set({ storage: failing ? 'refusing' : 'device' });

  /** Reads again what is here and what of it the server has. */
  private readonly review = () => {
    if (this.isClosed) return;
    let isNews = false;
    for (const kind of OWN_KINDS) {
      const handle = this.handles.get(kind);
      if (handle) this.restoredDocuments?.apply(handle);
      const known = handle && this.readState(handle, kind);
      if (!known || known === this.documents.get(kind)) continue;
      this.note(kind, known);
      isNews = true;
    }
    const isAllHere = this.handles.size === OWN_KINDS.length;
    const { isConfirmed, unconfirmed } = this.confirmations?.sum() ?? NOTHING_CONFIRMED;
    this.early.applyTo(this.opened);
    this.set({ isConfirmed: isConfirmed && isAllHere, unconfirmed });
    if (isNews) this.notify();
    this.stall.look(this.state.connection === 'connected', this.state.isConfirmed);
  };

  private note(kind: OwnKind, state: DocumentState): void {
    this.documents.set(kind, state);
    if (state.status !== 'ready') return;
    if (kind === 'card') keepCard(this.userId, readCard(state.doc));
    const sharing = kind === 'account' ? readSharing(state.doc) : null;
    if (sharing !== null) keepSharing(this.userId, sharing);
    if (kind === 'contacts') {
      this.friendCards?.follow(state.doc);
      this.threads?.follow(state.doc);
    }
  }

  private readState(handle: DocHandle<unknown>, kind: OwnKind): DocumentState {
    if (handle.isReady()) {
      const doc = handle.doc();
      const isWhole = typeof doc === 'object' && doc !== null && 'kind' in doc;
      const before = this.documents.get(kind);
      if (isWhole) return before?.doc === doc ? before : { status: 'ready', doc };
    }
    const isOut =
      this.missing.has(handle.documentId) ||
      (handle.isUnavailable() && this.state.connection === 'offline');
    return isOut ? UNAVAILABLE : LOADING;
  }

  private set(change: Partial<SyncState>): void {
    const keys = Object.keys(change) as (keyof SyncState)[];
    if (keys.every((key) => change[key] === this.state[key])) return;
    this.state = { ...this.state, ...change };
    this.notify();
  }
}
