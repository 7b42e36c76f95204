import {
  encodeHeads,
  type DocHandle,
  type DocumentId,
  type NetworkAdapter,
  type PeerId,
  Repo,
  type RepoConfig,
  type StorageId,
  type UrlHeads,
} from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';
import { stateDigest, MARKS_MAX, isMatch, writeMarks } from '#shared/sync/state-digest.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import { surviveDamage } from '../storage/damaged-documents.ts';

/** A state of a document; it is not compared where the mark is null. */
interface State {
  heads: A.Heads;
  mark: string | null;
}

interface Question {
  mark: string;
  resolve(isSame: boolean): void;
}

/** The metadata of our sync server. */
interface ServerMetadata {
  storageId?: StorageId;
  compares?: boolean;
}

/** Documents opened within this time share a query. Those that are open on connecting share one anyway. */
const GATHER_MS = 5;

/**
 * Asks the server which documents it has stored in the same state, many in one message, so that the Repo synchronizes only the
 * others: after a lost connection, usually nothing has changed. Only servers that support the query are asked.
 */
export class StateComparison {
  readonly #adapter: NetworkAdapter;
  readonly repo: Repo;
  #server: (ServerMetadata & { peerId: PeerId }) | null = null;
  /** Called with the id of each document that the server has in the same state. */
  onSame: (documentId: string) => void = () => {};
  /** Ids of documents that are damaged on this device. */
  readonly damaged = new Set<string>();
  /** Answers over this connection: whether a document is the same on the server. */
  readonly #known = new Map<string, Promise<boolean>>();
  readonly #same = new Set<string>();
  #waiting: Question[] = [];
  /** Over this connection. */
  #hasAsked = false;
  readonly #asked: Question[][] = [];
  readonly #reported = new WeakMap<DocHandle<unknown>, { mark: string; lastHeads: UrlHeads }>();
  /** By document object, which is new after every change. Computing a thousand of them takes several frames. */
  readonly #states = new WeakMap<A.Doc<unknown>, State>();
  readonly #watched = new WeakSet<DocHandle<unknown>>();
  #reviewing = false;

  /**
   * Makes the Repo.
   * @param adapter to our server, which is in no Repo yet: this must receive its events before the Repo
   * @param removedIds ids of documents whose changes are ignored
   * @param onDamaged called when a document is found to be damaged
   */
  constructor(
    adapter: NetworkAdapter,
    options: Omit<RepoConfig, 'network'>,
    removedIds: Set<string> = new Set(),
    onDamaged = () => {},
  ) {
    this.#adapter = adapter;
    adapter.on('peer-candidate', ({ peerId, peerMetadata }) => {
      this.#forget();
      this.#server = { ...(peerMetadata as ServerMetadata), peerId };
    });
    adapter.on('peer-disconnected', () => this.#forget());
    adapter.on('message', (message) => {
      // The Repo ignores unknown types.
      if (message.type === 'compared') this.#answered(message.data ?? new Uint8Array());
    });
    const isHere = (id?: DocumentId) => id === undefined || !removedIds.has(id);
    this.repo = new Repo({
      ...options,
      network: [adapter],
      shareConfig: {
        announce: async (peer, id) => isHere(id) && this.#announce(peer, id),
        access: async (_peer, id) => isHere(id),
      },
    });
    if (options.storage)
      surviveDamage(this.repo, options.storage, (documentId) => {
        this.damaged.add(documentId);
        onDamaged();
      });
  }

  /** Whether the Repo should announce a document: not while the server has the same state. */
  readonly #announce = async (_peer: PeerId, documentId?: DocumentId): Promise<boolean> => {
    const server = this.#server;
    if (!documentId || !server?.compares) return true;
    const isSame = await this.#isSame(documentId);
    // Do not synchronize over a closed connection; the next one is asked again.
    return server === this.#server && !isSame;
  };

  /** The number of documents that the server has in the same state. */
  get sameCount(): number {
    return this.#same.size;
  }

  #isSame(documentId: DocumentId): Promise<boolean> {
    const known = this.#known.get(documentId);
    if (known) return known;
    const asking = this.#ask(documentId).catch(() => false);
    this.#known.set(documentId, asking);
    return asking;
  }

  async #ask(documentId: DocumentId): Promise<boolean> {
    const server = this.#server;
    const handle = this.repo.handles[documentId];
    if (!handle) return false;
    if (!handle.isReady()) {
      await handle.whenReady(['ready', 'requesting', 'unavailable']);
      if (!handle.isReady()) return false;
    }
    const doc = handle.doc();
    const { heads, mark } = this.#stateOf(documentId, doc);
    if (mark === null || server !== this.#server) return false;
    const isSame = await new Promise<boolean>((resolve) => {
      if (this.#waiting.push({ mark, resolve }) === 1) this.#sendSoon();
    });
    // Changed before the answer arrived, or the connection was closed.
    if (!isSame || server !== this.#server) return false;
    if (handle.doc() !== doc && this.#stateOf(documentId, handle.doc()).mark !== mark) return false;
    this.#same.add(documentId);
    this.#watch(handle);
    this.#report(handle, heads, mark);
    this.onSame(documentId);
    return true;
  }

  #stateOf(documentId: DocumentId, doc: A.Doc<unknown>): State {
    const known = this.#states.get(doc);
    if (known) return known;
    const heads = A.getHeads(doc);
    const state = { heads, mark: stateDigest(documentId, heads) };
    this.#states.set(doc, state);
    return state;
  }

  #sendSoon(): void {
    if (this.#hasAsked) setTimeout(() => this.#send(), GATHER_MS);
    else void nextTask().then(() => this.#send());
    this.#hasAsked = true;
  }

  #send(): void {
    const server = this.#server;
    while (server && this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, MARKS_MAX);
      this.#asked.push(some);
      this.#adapter.send({
        type: 'compare',
        senderId: this.#adapter.peerId!,
        targetId: server.peerId,
        data: writeMarks(some.map(({ mark }) => mark)),
      });
    }
  }

  #answered(verdicts: Uint8Array): void {
    for (const [i, { resolve }] of (this.#asked.shift() ?? []).entries())
      resolve(isMatch(verdicts, i));
  }

  #forget(): void {
    this.#server = null;
    this.#hasAsked = false;
    this.#known.clear();
    this.#same.clear();
    for (const { resolve } of [...this.#waiting.splice(0), ...this.#asked.splice(0).flat()])
      resolve(false);
  }

  /** Reports to the Repo that the server has these heads, as a sync message would. */
  #report(handle: DocHandle<unknown>, heads: A.Heads, mark: string): void {
    const storageId = this.#server?.storageId;
    if (!storageId) return;
    const before = handle.getSyncInfo(storageId)?.lastHeads;
    const reported = this.#reported.get(handle);
    // Encoding heads is slow, and nearly always they were reported before.
    if (reported && reported.mark === mark && reported.lastHeads === before) return;
    const lastHeads = encodeHeads(heads);
    const hasChanged = before?.join() !== lastHeads.join();
    if (hasChanged) handle.setSyncInfo(storageId, { lastHeads, lastSyncTimestamp: Date.now() });
    this.#reported.set(handle, { mark, lastHeads: hasChanged ? lastHeads : before });
  }

  /**
   * Has a document synchronized as usual after its first change. Until then, the Repo knows no peer for its ephemeral messages,
   * and they are sent from here.
   */
  #watch(handle: DocHandle<unknown>): void {
    if (this.#watched.has(handle)) return;
    this.#watched.add(handle);
    const moved = () => {
      if (!this.#same.delete(handle.documentId)) return;
      this.#known.set(handle.documentId, Promise.resolve(false));
      if (this.#reviewing) return;
      this.#reviewing = true;
      queueMicrotask(() => {
        this.#reviewing = false;
        this.repo.shareConfigChanged();
      });
    };
    handle.on('heads-changed', moved);
    handle.on('ephemeral-message-outbound', ({ data }) => {
      const { documentId } = handle;
      if (this.#server && this.#same.has(documentId))
        this.repo.networkSubsystem.send({
          type: 'ephemeral',
          targetId: this.#server.peerId,
          documentId,
          data,
        });
    });
  }
}
