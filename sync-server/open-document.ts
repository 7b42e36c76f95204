import type { PartPlace } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import {
  chunksSince,
  isPanic,
  saveCore,
  type CoreDocument,
  type CoreSyncState,
} from './automerge-core.ts';
import { ChunkError, type Unpacked } from './chunk-guard.ts';
import { DOCUMENT_MAX_BYTES, DOCUMENT_MAX_OPS, WAITING_MAX_BYTES } from './limits.ts';
import type { LoadedDocument } from './load-document.ts';
import { newsOf, type PartNews } from './part-news.ts';
import { type Peer, Violation } from './peer.ts';

/** What an open document needs of the rest of the server. */
export interface DocumentHost {
  /** Does the work together with that of other documents, in a few milliseconds. */
  soon(work: () => void): void;
  /** Resolves when the chunks are durable. */
  append(documentId: string, chunks: Uint8Array): Promise<void>;
  /** Told after each commit. */
  committed(document: OpenDocument): void;
  /** Told when the document can no longer be trusted to match the disk, or nobody needs it. */
  closed(document: OpenDocument, failure: unknown): void;
}

/**
 * A document in memory, its peers, and the order of things: messages are taken in, what they changed is made durable,
 * and only then anybody is sent anything. What arrives meanwhile waits, so that nothing undurable is ever in a message.
 */
export class OpenDocument {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly ownerUserId: string;
  /** Of parts of a thread. */
  readonly place: PartPlace | undefined;
  /** The snapshot on the disk that this document grew from. */
  snapshotVersion: number;
  heads: string[];
  headsKey: string;
  /** Reasons to stay in memory: peers, and calls under way. */
  holds = 0;
  readonly peers = new Set<Peer>();
  readonly #core: CoreDocument;
  readonly #host: DocumentHost;
  #bytes: number;
  #projectedHeads: string[];
  #operations: number;
  #waitingBytes = 0;
  #queue: { task(): void; abandon?(failure: unknown): void }[] = [];
  #fresh: Uint8Array[] = [];
  #waiters: { resolve(): void; reject(error: unknown): void }[] = [];
  #committing = false;
  #running = false;
  #scheduled = false;
  #gone = false;
  /** The last step forward, which is what most peers lack. */
  #step: { from: string; chunks: Uint8Array[] } = { from: '', chunks: [] };

  constructor(loaded: LoadedDocument, host: DocumentHost) {
    this.id = loaded.row._id;
    this.kind = loaded.row.kind;
    this.ownerUserId = loaded.row.owner_user_id;
    this.place = loaded.row.place;
    this.snapshotVersion = loaded.row.snapshot_version;
    this.#core = loaded.core;
    this.#host = host;
    this.#bytes = loaded.core.saveNoCompress().length;
    this.#operations = loaded.core.stats().numOps;
    this.heads = loaded.core.getHeads();
    this.headsKey = this.heads.join();
    this.#projectedHeads = this.heads;
  }

  /**
   * Runs a task that may change the document, soon and in its turn: nothing undurable is in the document then. The task
   * must not throw.
   * @param abandon called instead when the document goes first
   */
  enqueue(task: () => void, abandon?: (failure: unknown) => void): void {
    if (this.#gone) return abandon?.(new Error('the document is gone'));
    this.#queue.push({ task, abandon });
    this.#schedule();
  }

  /** Whether all that is in it is durable. */
  get isDurable(): boolean {
    return this.#fresh.length === 0 && !this.#committing;
  }

  /** Resolves when everything taken in so far is durable. Call it within a task. */
  durable(): Promise<void> {
    if (this.#fresh.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /**
   * Takes in chunks. Call it within a task.
   * @throws ChunkError when the document would become too large
   */
  apply(chunks: Uint8Array[], unpacked: Unpacked): void {
    this.#makeRoom(unpacked);
    const before = this.heads;
    if (unpacked.isOneChange) this.#core.applyChanges(chunks);
    else this.#core.loadIncremental(Buffer.concat(chunks));
    this.#bytes += unpacked.bytes;
    this.#operations += unpacked.operations;
    const change = unpacked.isOneChange ? chunks.map((chunk) => new Uint8Array(chunk)) : null;
    this.#advance(before, change, unpacked.bytes);
  }

  /** Whether a change of this hash is in the document. */
  knows(hash: string): boolean {
    return this.heads.includes(hash) || this.#core.getChangeByHash(hash) !== null;
  }

  /** @throws when there is no such change */
  change(hash: string): Uint8Array {
    const change = this.#core.getChangeByHash(hash);
    if (!change) throw new Error('no such change');
    return change;
  }

  /** Chunks of all that is not among the ancestors of these heads. */
  changesSince(heads: string[]): Uint8Array[] {
    const from = heads.join();
    if (from === this.headsKey) return [];
    if (from === '') return [this.save()];
    if (from === this.#step.from) return [...this.#step.chunks];
    return chunksSince(this.#core, heads, () => this.save());
  }

  /** Automerge's own side of the protocol; see Peer. */
  receiveInFull(state: CoreSyncState, message: Uint8Array): void {
    const before = this.heads;
    this.#core.receiveSyncMessage(state, message);
    this.#advance(before, null, 0);
  }

  generateInFull(state: CoreSyncState): Uint8Array | null {
    return this.#core.generateSyncMessage(state);
  }

  /** The plain value: text as strings. */
  value(): unknown {
    return this.#core.materialize('/');
  }

  /** What a part has got since this was last asked; at first, since it was opened. */
  takeNews(): PartNews | null {
    const from = this.#projectedHeads;
    this.#projectedHeads = this.heads;
    return this.place ? newsOf(this.#core, this, this.place, from) : null;
  }

  save(): Uint8Array {
    return saveCore(this.#core, this.#bytes);
  }

  /** Chunks that another process made durable: known from now on, not written again. */
  learn(chunks: Uint8Array): void {
    this.#core.loadIncremental(chunks);
    this.#step = { from: '', chunks: [] };
    this.heads = this.#core.getHeads();
    this.headsKey = this.heads.join();
  }

  /** After a task failed: goes back to the disk when the failure may have left anything behind. */
  recover(failure: unknown): void {
    if (this.#gone) return;
    const leftovers = isPanic(failure) || this.#waitingBytes > WAITING_MAX_BYTES;
    if (leftovers || this.#core.getHeads().join() !== this.headsKey) this.drop(failure);
  }

  addPeer(peer: Peer): void {
    this.peers.add(peer);
    this.holds++;
  }

  removePeer(peer: Peer): void {
    if (!this.peers.delete(peer)) return;
    peer.free();
    this.release();
  }

  /** Gives back one of `holds`; the last one frees the document. */
  release(): void {
    this.holds--;
    this.#closeWhenIdle();
  }

  /** Takes the document out of memory whatever is under way, because it failed or is gone. */
  drop(failure: unknown): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#fresh = [];
    for (const waiter of this.#waiters.splice(0)) waiter.reject(failure);
    for (const { abandon } of this.#queue.splice(0)) abandon?.(failure);
    for (const peer of this.peers) peer.free();
    this.#host.closed(this, failure);
    this.#core.free();
  }

  #schedule(): void {
    if (this.#scheduled || this.#running || this.#committing) return;
    this.#scheduled = true;
    this.#host.soon(this.#run);
  }

  readonly #run = (): void => {
    this.#scheduled = false;
    if (this.#gone) return;
    this.#running = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next.task();
    this.#running = false;
    if (this.#gone) return;
    if (this.#fresh.length > 0) void this.#commit();
    else {
      this.#update(false);
      this.#closeWhenIdle();
    }
  };

  async #commit(): Promise<void> {
    this.#committing = true;
    const fresh = this.#fresh.splice(0);
    const waiters = this.#waiters.splice(0);
    try {
      await this.#host.append(this.id, fresh.length === 1 ? fresh[0]! : Buffer.concat(fresh));
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
      this.drop(error);
      return;
    }
    this.#committing = false;
    if (this.#gone) {
      for (const waiter of waiters) waiter.reject(new Error('the document is gone'));
      return;
    }
    this.#update(true);
    this.#host.committed(this);
    for (const waiter of waiters) waiter.resolve();
    if (this.#queue.length > 0) this.#schedule();
    else this.#closeWhenIdle();
  }

  /**
   * Sends peers what they lack. Automerge may find only now that a change it took in makes no sense.
   * @param all those that have not asked, too
   */
  #update(all: boolean): void {
    try {
      for (const peer of this.peers) if (all || peer.asked) peer.update();
    } catch (error) {
      this.drop(error);
    }
  }

  /** @param change what was taken in, when it was one change: a copy, which holds on to nothing else that came with it */
  #advance(before: string[], change: Uint8Array[] | null, bytes: number): void {
    const heads = this.#core.getHeads();
    const key = heads.join();
    const lacksNothing = change && key !== this.headsKey && this.#waitingBytes === 0;
    const missing = !lacksNothing && this.#core.getMissingDeps([]).length > 0;
    if (key !== this.headsKey) {
      const step = lacksNothing ? change : [this.#core.saveSince(before)];
      this.#step = { from: this.#fresh.length === 0 ? this.headsKey : '', chunks: step };
      this.#fresh.push(...step);
      this.heads = heads;
      this.headsKey = key;
    }
    this.#waitingBytes = missing ? this.#waitingBytes + bytes : 0;
    if (this.#waitingBytes > WAITING_MAX_BYTES)
      throw new Violation('too many changes without what they depend on');
  }

  #makeRoom({ bytes, operations }: Unpacked): void {
    if (this.#hasRoom(bytes, operations)) return;
    // What was counted so far is too high where the same change came twice.
    this.#bytes = this.#core.saveNoCompress().length;
    this.#operations = this.#core.stats().numOps;
    if (!this.#hasRoom(bytes, operations))
      throw new ChunkError('the document would become too large');
  }

  #hasRoom(bytes: number, operations: number): boolean {
    return (
      this.#bytes + bytes <= DOCUMENT_MAX_BYTES && this.#operations + operations <= DOCUMENT_MAX_OPS
    );
  }

  #closeWhenIdle(): void {
    if (this.holds > 0 || this.#committing || this.#running || this.#queue.length > 0 || this.#gone)
      return;
    this.#gone = true;
    this.#host.closed(this, null);
    this.#core.free();
  }
}
