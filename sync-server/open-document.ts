import type { PartPlace } from '#shared/chat/document.ts';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { isPanic } from './automerge-core.ts';
import { Content } from './content.ts';
import type { Device } from './device.ts';
import { SERVERS_OWN_ROOM } from './limits.ts';
import type { LoadedDocument } from './load-document.ts';
import type { PartNews } from './part-news.ts';

/** One device's view of an open document. */
export interface DocumentPeer {
  readonly device: Device;
  /** Whether it waits for an update. */
  readonly asked: boolean;
  /** Sends the changes that the device lacks. */
  update(): void;
  free(): void;
}

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
  /** Told whenever what is in the document is needed: nobody else's is, for longer. */
  readonly inUse: (content: Content) => void;
}

interface Turn {
  task(): void;
  abandon?(failure: unknown): void;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A document in memory, its peers, and the order of things: messages are taken in, what they changed is made durable,
 * and only then anybody is sent anything. What arrives meanwhile waits, so that nothing undurable is ever in a message.
 *
 * Thousands are open and idle: lists that are mostly empty are null then.
 */
export class OpenDocument {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly ownerUserId: string;
  /** Of parts of a thread. */
  readonly place: PartPlace | undefined;
  readonly content: Content;
  /** The snapshot on the disk that this document grew from. */
  snapshotVersion: number;
  /** Reasons to stay in memory: peers, and calls under way. */
  holds = 0;
  /** Another list whenever somebody comes or goes. */
  peers: readonly DocumentPeer[] = NOBODY;
  readonly #host: DocumentHost;
  #queue: Turn[] | null = null;
  #waiters: Waiter[] | null = null;
  #committing = false;
  #running = false;
  #scheduled = false;
  #gone = false;
  /** Of accounts: the location sharing switch as it was projected last. */
  #projectedSharing: unknown;

  /** @param projectedHeads what of it is projected; by default, all */
  constructor(loaded: LoadedDocument, host: DocumentHost, projectedHeads?: string[]) {
    this.id = loaded.row._id;
    this.kind = loaded.row.kind;
    this.ownerUserId = loaded.row.owner_user_id;
    this.place = loaded.row.place;
    this.snapshotVersion = loaded.row.snapshot_version;
    const room = documentKinds[this.kind].ownerWrites ? 1 : SERVERS_OWN_ROOM;
    this.content = new Content(loaded.core, host.inUse, room, projectedHeads);
    this.#host = host;
    if (this.kind === 'account' && !projectedHeads) this.#projectedSharing = this.content.sharing;
  }

  /**
   * Runs a task that may change the document, soon and in its turn: nothing undurable is in the document then. The task
   * must not throw.
   * @param abandon called instead when the document goes first
   */
  enqueue(task: () => void, abandon?: (failure: unknown) => void): void {
    if (this.#gone) return abandon?.(new Error('the document is gone'));
    if (this.#queue) this.#queue.push({ task, abandon });
    else this.#queue = [{ task, abandon }];
    this.#schedule();
  }

  /** Whether all that is in it is durable. */
  get isDurable(): boolean {
    return !this.content.hasFresh && !this.#committing;
  }

  /** Resolves when everything taken in so far is durable. Call it within a task. */
  durable(): Promise<void> {
    if (!this.content.hasFresh) return Promise.resolve();
    return new Promise((resolve, reject) => (this.#waiters ??= []).push({ resolve, reject }));
  }

  /** What a part has got since this was last asked; at first, since it was opened. */
  takeNews(): PartNews | null {
    return this.place ? this.content.takeNews(this, this.place) : null;
  }

  /** The location sharing switch of an account, where it is another than when this was last asked, or than it was on opening. */
  takeSharing(): boolean | null {
    if (this.kind !== 'account') return null;
    const { sharing } = this.content;
    if (typeof sharing !== 'boolean' || sharing === this.#projectedSharing) return null;
    this.#projectedSharing = sharing;
    return sharing;
  }

  /** After a task failed: goes back to the disk when the failure may have left anything behind. */
  recover(failure: unknown): void {
    if (this.#gone) return;
    if (isPanic(failure) || this.content.mayHoldLeftovers()) this.drop(failure);
  }

  addPeer(peer: DocumentPeer): void {
    this.peers = [...this.peers, peer];
    this.holds++;
  }

  removePeer(peer: DocumentPeer): void {
    if (!this.peers.includes(peer)) return;
    this.peers = this.peers.filter((each) => each !== peer);
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
    const [waiters, queue] = [this.#waiters ?? [], this.#queue ?? []];
    this.#waiters = null;
    this.#queue = null;
    for (const waiter of waiters) waiter.reject(failure);
    for (const { abandon } of queue) abandon?.(failure);
    for (const peer of this.peers) peer.free();
    this.#host.closed(this, failure);
    this.content.free();
  }

  #schedule(): void {
    if (this.#scheduled || this.#running || this.#committing) return;
    this.#scheduled = true;
    this.#host.soon(() => this.#run());
  }

  #run(): void {
    this.#scheduled = false;
    if (this.#gone) return;
    try {
      this.content.wake();
    } catch (error) {
      return this.drop(error);
    }
    this.#host.inUse(this.content);
    this.#running = true;
    for (let turns = this.#queue; turns; turns = this.#queue) {
      this.#queue = null;
      for (const { task, abandon } of turns)
        if (this.#gone) abandon?.(new Error('the document is gone'));
        else task();
    }
    this.#running = false;
    if (this.#gone) return;
    if (this.content.hasFresh) void this.#commit();
    else {
      this.#update(false);
      this.#closeWhenIdle();
    }
  }

  async #commit(): Promise<void> {
    this.#committing = true;
    const waiters = this.#waiters ?? [];
    this.#waiters = null;
    try {
      await this.#host.append(this.id, this.content.takeFresh());
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
    if (this.#queue) this.#schedule();
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

  #closeWhenIdle(): void {
    if (this.holds > 0 || this.#committing || this.#running || this.#queue || this.#gone) return;
    this.#gone = true;
    this.#host.closed(this, null);
    this.content.free();
  }
}

const NOBODY: readonly DocumentPeer[] = [];
