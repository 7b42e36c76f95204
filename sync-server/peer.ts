import { newSyncState, type CoreSyncState } from './automerge-core.ts';
import { paying } from './budget.ts';
import { Violation, type Unpacked } from './chunk-guard.ts';
import type { Device } from './device.ts';
import type { DocumentPeer, OpenDocument } from './open-document.ts';
import { writeSyncMessage, type SyncMessage } from './sync-message.ts';

/** A message about a document, whose chunks were looked through. */
export interface Incoming {
  message: SyncMessage;
  data: Uint8Array;
  unpacked: Unpacked;
  /** Whether the peer says that it has nothing, as a request does. */
  startsOver: boolean;
}

/** A peer that repeats old heads this long after it was sent newer ones did not get them. */
const CROSSING_MS = 3000;
const HEADS_KEPT = 64;
/** The last step takes less. Whoever has more put together, such as all of a large document, pays for the time. */
const FREE_MS = 1;
const NONE: readonly string[] = [];

/**
 * One device's view of one document. As long as all its heads are known here, what it lacks is known exactly, and
 * messages are written without Automerge's help; when it has something unknown that it may write, Automerge's own
 * protocol state takes over until both are even.
 */
export class Peer implements DocumentPeer {
  /** Has been sent something to or heard from since its last `update`. */
  asked = false;
  readonly mayWrite: boolean;
  readonly device: Device;
  readonly document: OpenDocument;
  /** Heads of what it has, or will have when it has read what was sent. */
  #has: readonly string[] = NONE;
  /** The heads it was last told of. */
  #told = '';
  #sentAt = 0;
  #need: readonly string[] = NONE;
  #state: CoreSyncState | null = null;
  #heard = false;

  constructor(document: OpenDocument, device: Device, mayWrite: boolean) {
    this.document = document;
    this.device = device;
    this.mayWrite = mayWrite;
  }

  /** The device has all of the document, as it said otherwise than in a message. */
  isEven(): void {
    this.#heard = true;
    const { heads, headsKey } = this.document.content;
    this.#has = heads;
    this.#told = headsKey;
  }

  /** Whether a message only says that it got what it was told last, as most do. */
  confirms({ heads, need, chunks }: SyncMessage): boolean {
    return (
      chunks.length === 0 &&
      need.length === 0 &&
      heads.length > 0 &&
      this.#state === null &&
      heads.join() === this.#told
    );
  }

  /**
   * Takes in a message.
   * @throws Violation, ChunkError, or whatever Automerge throws at what is no change
   */
  receive({ message, data, unpacked, startsOver }: Incoming): void {
    if (message.chunks.length > 0 && !this.mayWrite)
      throw new Violation('changes to what it may only read');
    this.asked = true;
    this.#heard = true;
    const { content } = this.document;
    if (startsOver || message.heads.length === 0) {
      this.#has = NONE;
      this.#told = '';
    }
    if (message.chunks.length > 0) content.apply(message.chunks, unpacked);
    const isKnown = (hash: string) => content.knows(hash);
    let { heads } = message;
    // What a reader has and the server has not was lost here, as by a restore from a backup. It gives nothing back, and
    // Automerge's own protocol would wait for that for ever.
    if (!this.mayWrite) heads = heads.filter(isKnown);
    else if (!heads.every(isKnown)) {
      this.#state ??= newSyncState();
      content.receiveInFull(this.#state, data);
      if (!heads.every(isKnown)) return;
    }
    this.#leaveFullProtocol();
    this.#need = message.need.length === 0 ? NONE : message.need.filter(isKnown);
    this.#note(heads, message.chunks.length > 0);
  }

  /** Sends what the peer lacks, or that it lacks nothing. Only what is durable may be in the document by now. */
  update(): void {
    this.asked = false;
    // What it has is not known before.
    if (!this.#heard) return;
    const { document } = this;
    const { content } = document;
    if (this.#state) {
      const message = content.generateInFull(this.#state);
      if (message) this.device.sync(document.id, message);
      return;
    }
    const pay = (ms: number) => ms > FREE_MS && this.device.spend(ms);
    const chunks = paying(pay, () => [
      ...content.changesSince(this.#has),
      ...this.#need.map((hash) => content.change(hash)),
    ]);
    this.#need = NONE;
    if (chunks.length === 0 && this.#told === content.headsKey) return;
    this.#has = content.heads;
    this.#told = content.headsKey;
    this.#sentAt = performance.now();
    this.device.sync(document.id, writeSyncMessage(content.heads, chunks, !this.mayWrite));
  }

  /** Frees what it holds in Automerge. */
  free(): void {
    this.#leaveFullProtocol();
  }

  #note(heads: string[], sentChanges: boolean): void {
    const key = heads.join();
    const { content } = this.document;
    if (key === content.headsKey) this.#has = content.heads;
    else if (!sentChanges && key !== this.#told && performance.now() - this.#sentAt > CROSSING_MS) {
      this.#has = heads;
      this.#told = '';
    } else {
      const both = [...new Set([...this.#has, ...heads])];
      this.#has = both.length > HEADS_KEPT ? heads : both;
    }
    // Whoever sends changes waits to hear that they are kept.
    if (sentChanges) this.#told = '';
  }

  #leaveFullProtocol(): void {
    if (!this.#state) return;
    this.#state.free();
    this.#state = null;
    this.#told = '';
  }
}
