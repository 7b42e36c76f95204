import type { Logger } from 'pino';
import { documentKinds } from '#shared/document-kinds.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { readMarks, writeVerdicts } from '#shared/sync/state-digest.ts';
import { paying, type SocketBudget } from './budget.ts';
import { guardChunks, Violation } from './chunk-guard.ts';
import type { Device } from './device.ts';
import type { Documents } from './documents.ts';
import { Following } from './following.ts';
import {
  COST_OF_FOLLOWING,
  COST_OF_MARK,
  COST_OF_REFUSAL,
  DOCUMENTS_PER_SOCKET,
  EPHEMERAL_MAX_BYTES,
  REFUSALS_PER_SOCKET,
} from './limits.ts';
import type { OpenDocument } from './open-document.ts';
import type { Outgoing } from './outgoing.ts';
import { Peer, type Incoming } from './peer.ts';
import type { Listed, Right, Rights } from './rights.ts';
import { readSyncMessage } from './sync-message.ts';
import type { ClientMessage } from './wire.ts';

/** The socket that the documents are on. */
interface Socket {
  device: Device;
  outgoing: Outgoing;
  budget: SocketBudget;
  log: Logger;
  /** Told of what no honest device sends, where it is found out too late to be thrown. */
  refuse(error: unknown): void;
}

interface Host {
  documents: Documents;
  rights: Rights;
  /** Up to when changes may say that they were made, where others read them; in seconds. */
  timesUntil: number;
}

/** A document on a socket: what was said of it until it is open, then the peer. */
type Slot = Incoming[] | Peer;

/** The documents that the device at the other end of a socket has open, follows, or was refused. */
export class DeviceDocuments {
  readonly #host: Host;
  readonly #socket: Socket;
  readonly #following: Following;
  readonly #slots = new Map<string, Slot>();
  /** Ids that it asked for and may not read, or that nobody has. */
  readonly #refused = new Set<string>();
  #isOver = false;

  /** @param listed what its user may read, looked up while the device is still about to connect */
  constructor(host: Host, socket: Socket, listed: Promise<Listed>) {
    this.#host = host;
    this.#socket = socket;
    const { device } = socket;
    const follower = {
      userId: device.userId,
      relay: (...passed: Parameters<Device['relay']>) => device.relay(...passed),
      join: (document: OpenDocument, right: Right) => this.#join(document, right).isEven(),
      startOver: () => device.close(closeCodes.tryAgainLater, 'start over'),
    };
    this.#following = new Following(host, follower, listed);
  }

  /** Whether the device acts on what its user may do with a document: has it open, or was told that there is none. */
  relyOnRightTo(documentId: string): boolean {
    return (
      this.#slots.has(documentId) ||
      this.#refused.has(documentId) ||
      this.#following.has(documentId)
    );
  }

  /**
   * Takes in a message of Automerge's sync protocol; the document is opened for it where it is not yet.
   * @throws when it is none, or no honest device sends it
   */
  sync({ documentId, data, type }: Extract<ClientMessage, { type: 'sync' | 'request' }>): void {
    const message = readSyncMessage(data);
    const slot = this.#slots.get(documentId);
    if (type === 'sync' && slot instanceof Peer && slot.confirms(message)) return;
    const unpacked = guardChunks(message.chunks);
    const incoming = { message, data, unpacked, startsOver: type === 'request' };
    if (slot instanceof Peer) this.#deliver(slot, incoming);
    else if (slot) slot.push(incoming);
    else {
      this.#following.leave(documentId);
      this.#makeRoom(1);
      const waiting = [incoming];
      this.#slots.set(documentId, waiting);
      void this.#open(documentId, waiting);
    }
  }

  /**
   * Tells the device which of its documents are the same here, and follows those: see shared/sync/state-digest.ts.
   * @throws when the bytes are no marks, or too many
   */
  compare(data: Uint8Array): void {
    const marks = readMarks(data);
    this.#socket.budget.spend(marks.length * COST_OF_MARK);
    this.#makeRoom(marks.length);
    void this.#answer(marks);
  }

  /**
   * Passes an ephemeral message on to all others who have the document: words, too, are only for who may write it to say, or
   * those who read a friend's card would speak to each other through it, whoever of them blocked whom.
   * @throws Violation
   */
  passOn(message: Extract<ClientMessage, { type: 'ephemeral' }>): void {
    if (message.data.length > EPHEMERAL_MAX_BYTES)
      throw new Violation('ephemeral message too large');
    const own = this.#slots.get(message.documentId);
    const from = { peerId: message.senderId, count: message.count, sessionId: message.sessionId };
    if (!(own instanceof Peer))
      return this.#following.relay(message.documentId, from, message.data);
    if (!own.mayWrite) return;
    for (const peer of own.document.peers)
      if (peer !== own) peer.device.relay(message.documentId, from, message.data);
  }

  /** Lets go of all of them, for good. */
  leaveAll(): void {
    this.#isOver = true;
    this.#following.leaveAll();
    for (const slot of this.#slots.values())
      if (slot instanceof Peer) slot.document.removePeer(slot);
    this.#slots.clear();
  }

  async #answer(marks: string[]): Promise<void> {
    const { budget, outgoing } = this.#socket;
    try {
      const held = await this.#following.compare(marks, (id) => this.#slots.has(id));
      budget.spend(held.filter(Boolean).length * COST_OF_FOLLOWING);
      outgoing.send('compared', { data: writeVerdicts(held) });
    } catch (error) {
      this.#failed(error, {});
    }
  }

  async #open(documentId: string, waiting: Incoming[]): Promise<void> {
    const { documents, rights } = this.#host;
    try {
      const right = await rights.of(this.#socket.device.userId, documentId);
      const document = right && !this.#isOver ? await documents.open(documentId) : null;
      if (this.#isOver) return document?.release();
      if (!document || !right) return this.#unavailable(documentId);
      const peer = this.#join(document, right);
      document.release();
      for (const incoming of waiting) this.#deliver(peer, incoming);
    } catch (error) {
      this.#failed(error, { document: documentId });
    }
  }

  #join(document: OpenDocument, { mayWrite }: Right): Peer {
    const peer = new Peer(document, this.#socket.device, mayWrite);
    document.addPeer(peer);
    this.#slots.set(document.id, peer);
    return peer;
  }

  #deliver(peer: Peer, incoming: Incoming): void {
    const { document } = peer;
    document.enqueue(() => {
      if (this.#isOver) return;
      const isWriting = incoming.message.chunks.length > 0;
      const pay = (ms: number) => isWriting && peer.device.spend(ms);
      try {
        if (documentKinds[document.kind].othersRead) this.#refuseTimes(incoming);
        paying(pay, () => peer.receive(incoming));
      } catch (error) {
        document.recover(error);
        this.#socket.refuse(error);
      }
    });
  }

  /** Readers would learn from them when somebody walks, or sleeps (decision 236). @throws Violation */
  #refuseTimes({ unpacked }: Incoming): void {
    if (unpacked.latestTime > this.#host.timesUntil)
      throw new Violation('changes that say when they were made');
  }

  #makeRoom(more: number): void {
    if (this.#slots.size + this.#following.size + more > DOCUMENTS_PER_SOCKET)
      throw new Violation('too many documents');
  }

  #unavailable(documentId: string): void {
    const { device, outgoing, budget } = this.#socket;
    this.#slots.delete(documentId);
    this.#refused.add(documentId);
    outgoing.send('doc-unavailable', { documentId });
    if (this.#refused.size > REFUSALS_PER_SOCKET)
      return device.close(closeCodes.policy, 'too many unknown documents');
    budget.spend(COST_OF_REFUSAL);
  }

  #failed(error: unknown, about: { document?: string }): void {
    const { device, log } = this.#socket;
    log.warn({ err: error, ...about }, 'a document could not be opened or compared');
    device.close(closeCodes.tryAgainLater, 'not available now');
  }
}
