import { newSyncState, type CoreSyncState } from './automerge-core.ts';
import type { Unpacked } from './chunk-guard.ts';
import type { OpenDocument } from './open-document.ts';
import { writeSyncMessage, type SyncMessage } from './sync-message.ts';

/** A peer's message that no honest peer sends. */
export class Violation extends Error {}

/** The device at the other end of a peer, on whatever socket. */
export interface Device {
  readonly userId: string;
  /** Passes on somebody's ephemeral message. */
  relay(documentId: string, from: EphemeralSource, data: Uint8Array): void;
  close(code: number, reason: string): void;
}

export interface EphemeralSource {
  peerId: string;
  count: number;
  sessionId: string;
}

/** A peer that repeats old heads this long after it was sent newer ones did not get them. */
const CROSSING_MS = 3000;
const HEADS_KEPT = 64;

/**
 * One device's view of one document. As long as all its heads are known here, what it lacks is known exactly, and
 * messages are written without Automerge's help; when it has something unknown, Automerge's own protocol state
 * takes over until both are even.
 */
export class Peer {
  /** Has been sent something to or heard from since its last `update`. */
  asked = false;
  readonly mayWrite: boolean;
  readonly device: Device;
  readonly #document: OpenDocument;
  readonly #send: (message: Uint8Array) => void;
  /** Heads of what it has, or will have when it has read what was sent. */
  #has: string[] = [];
  /** The heads it was last told of. */
  #told = '';
  #sentAt = 0;
  #need: string[] = [];
  #state: CoreSyncState | null = null;
  #heard = false;

  /** @param send takes a message of Automerge's sync protocol */
  constructor(
    document: OpenDocument,
    device: Device,
    mayWrite: boolean,
    send: (message: Uint8Array) => void,
  ) {
    this.#document = document;
    this.device = device;
    this.mayWrite = mayWrite;
    this.#send = send;
  }

  /** The device has all of the document, as it said otherwise than in a message. */
  isEven(): void {
    this.#heard = true;
    this.#has = this.#document.heads;
    this.#told = this.#document.headsKey;
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
   * Takes in a message whose chunks were looked through.
   * @param startsOver whether the peer says that it has nothing, as a request does
   * @throws Violation, ChunkError, or whatever Automerge throws at what is no change
   */
  receive(message: SyncMessage, bytes: Uint8Array, unpacked: Unpacked, startsOver: boolean): void {
    if (message.chunks.length > 0 && !this.mayWrite)
      throw new Violation('changes to what it may only read');
    this.asked = true;
    this.#heard = true;
    const document = this.#document;
    if (startsOver || message.heads.length === 0) {
      this.#has = [];
      this.#told = '';
    }
    if (message.chunks.length > 0) document.apply(message.chunks, unpacked);
    if (!message.heads.every((head) => document.knows(head))) {
      this.#state ??= newSyncState(!this.mayWrite);
      document.receiveInFull(this.#state, bytes);
      if (!message.heads.every((head) => document.knows(head))) return;
    }
    this.#leaveFullProtocol();
    this.#need = message.need.filter((hash) => document.knows(hash));
    this.#note(message.heads, message.chunks.length > 0);
  }

  /** Sends what the peer lacks, or that it lacks nothing. Only what is durable may be in the document by now. */
  update(): void {
    this.asked = false;
    // What it has is not known before.
    if (!this.#heard) return;
    const document = this.#document;
    if (this.#state) {
      const message = document.generateInFull(this.#state);
      if (message) this.#send(message);
      return;
    }
    const chunks = document.changesSince(this.#has);
    for (const hash of this.#need) chunks.push(document.change(hash));
    this.#need = [];
    if (chunks.length === 0 && this.#told === document.headsKey) return;
    this.#has = document.heads;
    this.#told = document.headsKey;
    this.#sentAt = performance.now();
    this.#send(writeSyncMessage(document.heads, chunks, !this.mayWrite));
  }

  /** Frees what it holds in Automerge. */
  free(): void {
    this.#leaveFullProtocol();
  }

  #note(heads: string[], sentChanges: boolean): void {
    const key = heads.join();
    if (key === this.#document.headsKey) this.#has = this.#document.heads;
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
