import { documentKinds } from '#shared/document-kinds.ts';
import type { ChunkStats } from '#shared/sync/chunks.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import type { SyncMessage } from '#shared/sync/sync-message.ts';
import { newSyncState, type CoreSyncState } from '../../core/documents/automerge-core.ts';
import type { Device, OpenDocument, Peer } from '../../core/documents/open-document.ts';
import { measureAndCharge } from '../../core/measure-and-charge.ts';
import { writeSyncMessage } from '../../core/protocol/sync-message.ts';

/** A message about a document, with validated chunks. */
export interface Incoming {
  message: SyncMessage;
  data: Uint8Array;
  stats: ChunkStats;
  /** Whether the peer has nothing of the document, as in a request. */
  startsOver: boolean;
}

/** A peer that repeats old heads this long after newer ones were sent did not receive them. */
const CROSSING_MS = 3000;
const REMEMBERED_HEADS_MAX = 64;
/** A device that is busy confirms what it was sent a second ago. */
const SENT_REMEMBERED_MAX = 8;
/** Sending the latest change takes less. Collecting more, such as all of a large document, is charged to the user. */
const FREE_MS = 1;
const NONE: readonly string[] = [];

/**
 * One device's view of one document. As long as the server knows all heads of the device, it knows exactly which changes
 * are missing and writes messages without Automerge. If the device has unknown heads in a document that it may write,
 * Automerge's own protocol state is used until both sides are equal.
 */
export class DocumentPeer implements Peer {
  isWaiting = false;
  readonly mayWrite: boolean;
  readonly device: Device;
  readonly document: OpenDocument;
  /** Heads that the device has, or will have after reading what was sent. */
  #has: readonly string[] = NONE;
  /** The heads that were sent last, joined. */
  #sentHeads = '';
  /** Those before them, the latest first, that the device may not have confirmed yet. */
  #sentBefore: readonly string[] = NONE;
  #sentAt = 0;
  #need: readonly string[] = NONE;
  #state: CoreSyncState | null = null;
  #hasReceived = false;
  /** Whether changes were refused since the device last sent some that were accepted. */
  #isRefused = false;

  constructor(document: OpenDocument, device: Device, mayWrite: boolean) {
    this.document = document;
    this.device = device;
    this.mayWrite = mayWrite;
  }

  /** The device has all of the document, as a comparison showed. */
  setUpToDate(): void {
    this.#hasReceived = true;
    const { heads, headsKey } = this.document.content;
    this.#has = heads;
    this.#sentHeads = headsKey;
  }

  /** The device has these former heads, as a comparison showed. The next batch sends it the rest. */
  setHas(heads: readonly string[]): void {
    this.#hasReceived = true;
    this.#has = heads;
    this.#sentHeads = heads.join();
    this.isWaiting = true;
    this.document.enqueue(() => {});
  }

  /** Whether a message only confirms one that was sent lately, as most do: then there is nothing to do. */
  acknowledges({ heads, need, chunks }: SyncMessage): boolean {
    if (chunks.length > 0 || need.length > 0 || heads.length === 0 || this.#state) return false;
    const key = heads.join();
    if (key === this.#sentHeads) {
      this.#sentBefore = NONE;
      return true;
    }
    const at = this.#sentBefore.indexOf(key);
    if (at === -1 || this.#isCrossed()) return false;
    // Confirmations arrive in order.
    this.#sentBefore = this.#sentBefore.slice(0, at);
    return true;
  }

  /**
   * Applies a message. After an error, have the document recover, and call `refused`.
   * @throws Refusal, or an error of Automerge if the chunks are not changes
   */
  receive({ message, data, stats, startsOver }: Incoming): void {
    const isWriting = message.chunks.length > 0;
    if (isWriting && !this.mayWrite)
      throw new Refusal('not_yours', 'changes of a read-only document');
    this.isWaiting = true;
    this.#hasReceived = true;
    const { content } = this.document;
    if (startsOver || message.heads.length === 0) {
      this.#has = NONE;
      this.#sentHeads = '';
    }
    if (isWriting) content.apply(message.chunks, stats);
    const isKnown = (hash: string) => content.hasChange(hash);
    let { heads } = message;
    if (!heads.every(isKnown)) {
      // Unknown heads of a reader were lost here, such as by restoring a backup. The reader cannot send them, and
      // Automerge's own protocol would wait for them forever. It would request changes that were refused again and again.
      const isIgnored = !this.mayWrite || (this.#isRefused && !isWriting && !this.#state);
      if (isIgnored) heads = heads.filter(isKnown);
      else {
        this.#state ??= newSyncState();
        content.receiveInFull(this.#state, data);
        if (!heads.every(isKnown)) return;
      }
      if (!this.mayWrite) this.#refuseUnknown();
    }
    if (isWriting) this.#isRefused = false;
    this.free();
    this.#need = message.need.length === 0 ? NONE : message.need.filter(isKnown);
    this.#noteHeads(heads, message.chunks.length > 0);
  }

  /** The last message was refused. */
  refused(): void {
    this.#isRefused = true;
  }

  update(): void {
    this.isWaiting = false;
    // It is not known yet which changes the device has.
    if (!this.#hasReceived) return;
    const { document } = this;
    const { content } = document;
    if (this.#state) {
      const message = content.generateInFull(this.#state);
      if (message) this.device.sendSync(document.id, message);
      return;
    }
    const charge = (ms: number) => ms > FREE_MS && this.device.chargeTime(ms);
    const chunks = measureAndCharge(charge, () => [
      ...content.changesSince(this.#has),
      ...this.#need.map((hash) => content.change(hash)),
    ]);
    this.#need = NONE;
    if (chunks.length === 0 && this.#sentHeads === content.headsKey) return;
    this.#has = content.heads;
    if (this.#sentHeads !== '')
      this.#sentBefore = [this.#sentHeads, ...this.#sentBefore.slice(0, SENT_REMEMBERED_MAX - 1)];
    this.#sentHeads = content.headsKey;
    this.#sentAt = performance.now();
    this.device.sendSync(document.id, writeSyncMessage(content.heads, chunks, !this.mayWrite));
  }

  /** Leaves Automerge's own protocol and frees its state. */
  free(): void {
    if (!this.#state) return;
    this.#state.free();
    this.#state = null;
    this.#sentHeads = '';
  }

  /** The owner changed the document while it was writable, or meant to be: no change is left without an answer. */
  #refuseUnknown(): void {
    const { id, kind, ownerUserId } = this.document;
    const isOwn = ownerUserId === this.device.userId && documentKinds[kind].ownerWrites;
    if (!isOwn || this.#isRefused) return;
    this.#isRefused = true;
    this.device.refuse(id, new Refusal('not_yours', 'the document cannot be changed now'));
  }

  /** Whether everything that the device sent before it got the last message has arrived. */
  #isCrossed(): boolean {
    return performance.now() - this.#sentAt > CROSSING_MS;
  }

  #noteHeads(heads: string[], sentChanges: boolean): void {
    const key = heads.join();
    const { content } = this.document;
    const isOutdated = !sentChanges && key !== this.#sentHeads;
    if (key === content.headsKey) this.#has = content.heads;
    else if (isOutdated && this.#isCrossed()) {
      this.#has = heads;
      this.#sentHeads = '';
    } else {
      const both = [...new Set([...this.#has, ...heads])];
      this.#has = both.length > REMEMBERED_HEADS_MAX ? heads : both;
    }
    // A device that sends changes waits for the acknowledgement.
    if (sentChanges) this.#sentHeads = '';
  }
}
