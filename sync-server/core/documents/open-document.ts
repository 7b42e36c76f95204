import { PROJECTED_FIELDS, type ProjectedAccount } from '#shared/account/projected-account.ts';
import type { SegmentPlace } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { documentLimits } from '#shared/sync/limits.ts';
import type { DocumentRow } from '../database.ts';
import { measureAndCharge } from '../measure-and-charge.ts';
import { isPanic, type CoreDocument } from './automerge-core.ts';
import { currentDocument } from './current-document.ts';
import { DocumentContent } from './document-content.ts';
import type { SegmentChanges } from './segment-changes.ts';
import { byTurns, SERVERS, type WorkFor } from './turns.ts';

/** The device at the other end of a connection. */
export interface Device {
  readonly userId: string;
  /** Sends a message of Automerge's sync protocol. */
  sendSync(documentId: string, message: Uint8Array): void;
  /** Forwards an ephemeral message of another device. */
  sendEphemeral(documentId: string, source: EphemeralSource, data: Uint8Array): void;
  /** Tells the device that a message about a document is not accepted. @param error a `Refusal`; others count as `invalid` */
  refuse(documentId: string, error: unknown): void;
  close(code: number, reason: string): void;
  /** Charges milliseconds of work to the user. */
  chargeTime(ms: number): void;
}

export interface EphemeralSource {
  peerId: string;
  count: number;
  sessionId: string;
}

/** One device's view of an open document. */
export interface Peer {
  readonly device: Device;
  /** Whether it sent a message that was not answered yet, or was not sent what the others were. */
  isWaiting: boolean;
  /** Sends the changes that the device lacks, or an acknowledgement. All changes must be durable. */
  update(): void;
  free(): void;
}

export interface LoadedDocument {
  row: Pick<
    DocumentRow,
    | '_id'
    | 'kind'
    | 'owner_user_id'
    | 'place'
    | 'snapshot_version'
    | 'successor'
    | 'operations_before'
  >;
  core: CoreDocument;
  /** The heads of the snapshot, without the log. */
  snapshotHeads: string[];
}

/** What an open document needs of the others (decision 31). */
export interface DocumentHost {
  /** Runs work in the next batch, together with that of other documents. @param userId whose work most of it is */
  schedule(userId: string, work: () => void): void;
  /** Resolves when the chunks are durable and may be sent. */
  append(document: OpenDocument, chunks: Uint8Array): Promise<unknown>;
  /** Called after each commit, and after changes of this node and another one were merged. */
  committed(document: OpenDocument): void;
  /** Called when the document is no longer needed, or may differ from the database. */
  closed(document: OpenDocument, failure: unknown): void;
  /** Called whenever the content is used, which postpones its eviction. */
  readonly onUse: (content: DocumentContent) => void;
}

interface Task {
  run(): void;
  abandon?(failure: unknown): void;
  who?: WorkFor;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

const NO_PEERS: readonly Peer[] = [];
const isWaiting = (peer: Peer): boolean => peer.isWaiting;
/** How long messages about a document are handled at a stretch, before those of others: a device can send many heavy ones at once. */
const RUN_SLICE_MS = 20;

/**
 * A document in memory with its peers. Messages are applied, their changes are made durable, and only then anything is
 * sent. Messages that arrive in between wait, so no message contains changes that are not durable.
 *
 * Thousands of documents are open and idle: lists that are mostly empty are null then.
 */
export class OpenDocument {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly ownerUserId: string;
  /** For thread segments. */
  readonly place: SegmentPlace | undefined;
  readonly content: DocumentContent;
  /** Whether another document replaces it: nothing is projected from it any more. */
  isReplaced: boolean;
  readonly #operationsBefore: number;
  /** The version of the snapshot that this document was loaded from. */
  snapshotVersion: number;
  /** The number of peers and calls that use the document. */
  users = 0;
  /** Replaced by another list whenever a peer is added or removed. */
  peers: readonly Peer[] = NO_PEERS;
  readonly #host: DocumentHost;
  #tasks: Task[] | null = null;
  #waiters: Waiter[] | null = null;
  #isCommitting = false;
  #isRunning = false;
  #isScheduled = false;
  #isClosed = false;
  /** Whether changes of other nodes have not been sent to the peers yet. */
  #hasForeign = false;
  /** Whether no node has projected the current state, because it was merged here. */
  #isMerged = false;
  /** Of accounts: what was projected last, as JSON; null if that is unknown. */
  #projectedAccount: string | null = null;

  /** @param projectedHeads the state that is projected; by default, all of it */
  constructor(loaded: LoadedDocument, host: DocumentHost, projectedHeads?: string[]) {
    this.id = loaded.row._id;
    this.kind = loaded.row.kind;
    this.ownerUserId = loaded.row.owner_user_id;
    this.place = loaded.row.place;
    this.snapshotVersion = loaded.row.snapshot_version;
    this.isReplaced = loaded.row.successor !== undefined;
    this.#operationsBefore = loaded.row.operations_before ?? 0;
    const limits = documentLimits[this.kind];
    this.content = new DocumentContent(loaded.core, limits, host.onUse, {
      projectedHeads,
      documentId: this.id,
      isTouchNoted: this.kind === 'account' || this.place !== undefined,
    });
    this.#host = host;
    if (!projectedHeads) this.#projectedAccount = this.#accountNow();
  }

  /**
   * Runs a task that may change the document in the next batch, when everything in the document is durable. The task
   * must not throw.
   * @param abandon called instead if the document is closed before
   * @param who takes turns with others, and is charged if the document was evicted; by default, its owner and nobody
   */
  enqueue(run: () => void, abandon?: (failure: unknown) => void, who?: WorkFor): void {
    if (this.#isClosed) return abandon?.(new Error('the document is closed'));
    const task = { run, abandon, who };
    if (this.#tasks) this.#tasks.push(task);
    else this.#tasks = [task];
    this.#schedule();
  }

  get isDurable(): boolean {
    return !this.content.hasUnsaved && !this.#isCommitting;
  }

  /** Resolves when everything that was applied so far is durable. Call it within a task. */
  durable(): Promise<void> {
    if (!this.content.hasUnsaved) return Promise.resolve();
    return new Promise((resolve, reject) => (this.#waiters ??= []).push({ resolve, reject }));
  }

  /** The number of operations, with those of the documents that it replaces. It grows with every change. */
  get operations(): number {
    return this.#operationsBefore + this.content.operations;
  }

  /** Returns the changes of a thread segment since the last call; at first, since it was opened. */
  takeSegmentChanges(): SegmentChanges | null {
    return this.place ? this.content.takeSegmentChanges(this, this.place) : null;
  }

  /** Returns what a row has of an account if it changed since the last call; at first, since it was opened. */
  takeAccount(): ProjectedAccount | null {
    if (this.kind !== 'account') return null;
    const touched = this.content.takeTouched();
    const isSame = touched && PROJECTED_FIELDS.every((field) => !touched.has(field));
    if (isSame && this.#projectedAccount !== null) return null;
    const account = this.#accountNow();
    if (account === this.#projectedAccount) return null;
    this.#projectedAccount = account;
    return this.projectedAccount;
  }

  /** What was projected of an account, or counts as projected since it was opened; null if that is unknown. */
  get projectedAccount(): ProjectedAccount | null {
    const account = this.#projectedAccount;
    return account === null ? null : (JSON.parse(account) as ProjectedAccount);
  }

  #accountNow(): string | null {
    return this.kind === 'account' ? JSON.stringify(this.content.account) : null;
  }

  /**
   * Has the next projection include all that it may have left out.
   * @param isFull whether it includes everything
   * @returns whether the document is open
   */
  projectAgain(isFull = false): boolean {
    if (this.#isClosed) return false;
    if (isFull) this.content.forgetProjected();
    this.#projectedAccount = null;
    this.#host.committed(this);
    return true;
  }

  /** Applies chunks that another node has stored; the next batch sends them to the peers. */
  applyStored(chunks: readonly Uint8Array[]): void {
    currentDocument.during(this.id, () => this.#applyStored(chunks));
  }

  #applyStored(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      const outcome = this.content.applyStored(chunk);
      if (outcome === 'unchanged') continue;
      this.#hasForeign = true;
      if (outcome === 'merged') this.#isMerged = true;
      if (this.kind === 'account')
        this.#projectedAccount = outcome === 'behind' ? this.#accountNow() : null;
    }
  }

  /**
   * Applies chunks that another node has stored in the next batch, and sends them to the peers.
   * @param heads of the other node's document
   * @returns whether the document has these heads then; null if it is closed
   */
  receiveStored(
    chunks: readonly Uint8Array[],
    heads: readonly string[] = [],
  ): Promise<boolean | null> {
    return new Promise((resolve) => {
      this.enqueue(
        () => {
          try {
            this.applyStored(chunks);
            // Here, because the document may be closed and freed before the caller continues.
            resolve(heads.every((head) => this.content.hasChange(head)));
          } catch (error) {
            this.drop(error);
            resolve(null);
          }
        },
        () => resolve(null),
      );
    });
  }

  /** Undoes what a failed task may have left in the document, or closes it. */
  recover(failure: unknown): void {
    if (!this.#isClosed && !this.content.restore(isPanic(failure))) this.drop(failure);
  }

  addPeer(peer: Peer): void {
    this.peers = [...this.peers, peer];
    this.users++;
  }

  removePeer(peer: Peer): void {
    if (!this.peers.includes(peer)) return;
    this.peers = this.peers.filter((each) => each !== peer);
    peer.free();
    this.release();
  }

  /** Decrements `users`; the last one closes the document. */
  release(): void {
    this.users--;
    this.#closeWhenIdle();
  }

  /** Closes the document at once, because it failed or was removed. */
  drop(failure: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const [waiters, tasks] = [this.#waiters ?? [], this.#tasks ?? []];
    this.#waiters = null;
    this.#tasks = null;
    for (const { reject } of waiters) reject(failure);
    for (const { abandon } of tasks) abandon?.(failure);
    for (const peer of this.peers) peer.free();
    this.#host.closed(this, failure);
    this.content.free();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isRunning || this.#isCommitting) return;
    this.#isScheduled = true;
    const first = this.#tasks ? this.#tasks[0]?.who : this.peers.find(isWaiting)?.device;
    this.#host.schedule(first?.userId ?? this.ownerUserId, () =>
      currentDocument.during(this.id, () => this.#run()),
    );
  }

  #run(): void {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    try {
      const { charge } = this.#tasks?.[0]?.who ?? SERVERS;
      if (!this.content.isLoaded) measureAndCharge(charge, () => this.content.load());
    } catch (error) {
      return this.drop(error);
    }
    this.#host.onUse(this.content);
    this.#isRunning = true;
    const startedAt = performance.now();
    const isInTime = () => this.#isClosed || performance.now() - startedAt < RUN_SLICE_MS;
    for (let tasks = this.#tasks; tasks && isInTime(); tasks = this.#tasks) {
      this.#tasks = null;
      let done = 0;
      do {
        const { run, abandon } = tasks[done++]!;
        if (this.#isClosed) abandon?.(new Error('the document is closed'));
        else run();
      } while (done < tasks.length && isInTime());
      if (done < tasks.length)
        this.#tasks = byTurns(
          [...tasks.slice(done), ...(this.#tasks ?? [])],
          ({ who }) => who?.userId ?? this.ownerUserId,
        );
    }
    this.#isRunning = false;
    if (this.#isClosed) return;
    if (this.content.hasUnsaved) void this.#commit();
    else {
      const peers = this.#hasForeign ? this.peers : this.peers.filter(isWaiting);
      this.#hasForeign = false;
      this.#sendAndProject(peers, this.#isMerged);
    }
  }

  async #commit(): Promise<void> {
    this.#isCommitting = true;
    const waiters = this.#waiters ?? [];
    this.#waiters = null;
    try {
      await this.#host.append(this, this.content.takeUnsaved());
    } catch (error) {
      for (const { reject } of waiters) reject(error);
      this.drop(error);
      return;
    }
    this.#isCommitting = false;
    if (this.#isClosed) {
      for (const { reject } of waiters) reject(new Error('the document is closed'));
      return;
    }
    this.#hasForeign = false;
    currentDocument.during(this.id, () => this.#sendAndProject(this.peers, true));
    for (const { resolve } of waiters) resolve();
  }

  /** Sends what is durable to peers, as many as there is time for, and has it projected if no node has done so. Then goes on. */
  #sendAndProject(peers: readonly Peer[], isProjectionDue: boolean): void {
    // A device that is too slow leaves when it is updated, and the last one must not close the document before.
    this.users++;
    try {
      this.#send(byTurns(peers, ({ device }) => device.userId));
    } catch (error) {
      // Automerge may only notice now that a change that it accepted is invalid.
      this.drop(error);
    }
    if (isProjectionDue && !this.#isClosed) {
      this.#isMerged = false;
      this.#host.committed(this);
    }
    this.users--;
    if (this.#isClosed) return;
    if (this.#tasks || this.peers.some(isWaiting)) this.#schedule();
    else this.#closeWhenIdle();
  }

  #send(peers: readonly Peer[]): void {
    const startedAt = performance.now();
    let sent = 0;
    do peers[sent++]?.update();
    while (sent < peers.length && performance.now() - startedAt < RUN_SLICE_MS);
    if (sent >= peers.length) return;
    // The others are the first ones next time.
    const left = new Set(peers.slice(sent));
    for (const peer of left) peer.isWaiting = true;
    this.peers = [...left, ...this.peers.filter((peer) => !left.has(peer))];
  }

  #closeWhenIdle(): void {
    const isBusy = this.users > 0 || this.#isCommitting || this.#isRunning || this.#tasks;
    if (isBusy || this.#isClosed) return;
    this.#isClosed = true;
    this.#host.closed(this, null);
    this.content.free();
  }
}
