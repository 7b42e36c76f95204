import type { Logger } from 'pino';
import type { RawData, WebSocket } from 'ws';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { readMarks, writeVerdicts } from '#shared/sync/comparison.ts';
import { SocketBudget, type Budget } from './budget.ts';
import { coreIsSound } from './automerge-core.ts';
import { ChunkError, guardChunks } from './chunk-guard.ts';
import type { Documents } from './documents.ts';
import { Following } from './following.ts';
import {
  CLOSING_MS,
  COST_OF_FOLLOWING,
  COST_OF_MARK,
  COST_OF_REFUSAL,
  COST_PER_BYTE,
  COST_PER_MS,
  DOCUMENTS_PER_SOCKET,
  EPHEMERAL_MAX_BYTES,
  JOIN_MS,
  REFUSALS_PER_SOCKET,
} from './limits.ts';
import type { OpenDocument } from './open-document.ts';
import { Outgoing } from './outgoing.ts';
import { Peer, Violation, type Device, type EphemeralSource, type Incoming } from './peer.ts';
import type { Listed, Right, Rights } from './rights.ts';
import type { Standing } from './sessions.ts';
import { readSyncMessage } from './sync-message.ts';
import { readMessage, type ClientMessage } from './wire.ts';

/** What a connection needs of the server. */
export interface ConnectionHost {
  /** Who this server is to its clients. */
  readonly peerId: string;
  readonly storageId: string;
  readonly documents: Documents;
  readonly rights: Rights;
}

/** A document on one socket: what was said of it until it is open, then the peer. */
type Slot = Incoming[] | Peer;

const PROTOCOL_VERSION = '1';

/** One socket of one session. Whatever id the peer claims is echoed, and means nothing. */
export class Connection implements Device {
  readonly standing: Standing;
  alive = true;
  readonly #host: ConnectionHost;
  readonly #socket: WebSocket;
  readonly #log: Logger;
  readonly #budget: SocketBudget;
  readonly #outgoing: Outgoing;
  readonly #following: Following;
  readonly #slots = new Map<string, Slot>();
  readonly #joinTimer: NodeJS.Timeout;
  #claimedId: string | null = null;
  /** Ids that it asked for and may not read, or that nobody has. */
  readonly #refused = new Set<string>();
  #closed = false;

  constructor(
    host: ConnectionHost,
    socket: WebSocket,
    standing: Standing,
    { budget, listed }: { budget: Budget; listed?: Promise<Listed> },
    log: Logger,
  ) {
    this.#host = host;
    this.#socket = socket;
    this.standing = standing;
    this.#budget = new SocketBudget(socket, budget);
    this.#outgoing = new Outgoing(socket, host.peerId, () => this.#cutOff('reads too slowly'));
    const follower = {
      userId: standing.userId,
      relay: (...passed: Parameters<Device['relay']>) => this.relay(...passed),
      join: (document: OpenDocument, right: Right) => this.#join(document, right).isEven(),
      startOver: () => this.close(closeCodes.tryAgainLater, 'start over'),
    };
    this.#following = new Following(host, follower, listed);
    this.#log = log;
    this.#joinTimer = setTimeout(() => this.close(closeCodes.policy, 'did not join'), JOIN_MS);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => (this.alive = true));
    socket.on('error', (error) => this.#log.info({ reason: error.message }, 'socket failed'));
    socket.on('close', (code) => {
      this.#log.info({ code }, 'socket closed');
      this.#letGo();
    });
  }

  get userId(): string {
    return this.standing.userId;
  }

  /** Closes the socket, saying why, and lets go of its documents. */
  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#log.info({ code, reason }, 'closing socket');
    this.#letGo();
    this.#socket.resume();
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), CLOSING_MS).unref();
  }

  /** Whether it acts on what its user may do with a document: has it open, or was told that there is none. */
  reliesOnRightTo(documentId: string): boolean {
    return (
      this.#slots.has(documentId) ||
      this.#refused.has(documentId) ||
      this.#following.has(documentId)
    );
  }

  /** Asks the other end for a sign of life. @returns false when the last one did not come */
  ping(): boolean {
    if (!this.alive) {
      this.#cutOff('gives no sign of life');
      return false;
    }
    this.alive = false;
    this.#socket.ping();
    return true;
  }

  sync(documentId: string, message: Uint8Array): void {
    this.#outgoing.sync(documentId, message);
  }

  relay(documentId: string, from: EphemeralSource, data: Uint8Array): void {
    this.#outgoing.relay(documentId, from, data);
  }

  #receive(raw: RawData, isBinary: boolean): void {
    if (this.#closed) return;
    if (!isBinary) return this.close(closeCodes.unsupported, 'text frame');
    const frame = raw as Buffer;
    const started = performance.now();
    try {
      this.#handle(readMessage(frame));
    } catch (error) {
      this.#refuse(error);
    }
    const took = performance.now() - started;
    this.#budget.spend(1 + frame.length * COST_PER_BYTE + took * COST_PER_MS);
  }

  #handle(message: ClientMessage): void {
    if (message.type === 'join') return this.#greet(message);
    if (this.#claimedId === null) throw new Violation('did not join');
    const isOwn = message.senderId === this.#claimedId;
    // A Repo passes ephemeral messages on to all its peers, and so those of others back to us.
    if (!isOwn && message.type === 'ephemeral') return;
    if (!isOwn) throw new Violation('speaks for another peer');
    if (message.type === 'sync' || message.type === 'request') this.#sync(message);
    else if (message.type === 'ephemeral') this.#ephemeral(message);
    else if (message.type === 'compare') this.#compare(message.data);
  }

  #greet(message: Extract<ClientMessage, { type: 'join' }>): void {
    if (this.#claimedId !== null) throw new Violation('joined twice');
    this.#claimedId = message.senderId;
    clearTimeout(this.#joinTimer);
    this.#outgoing.addressTo(message.senderId);
    if (message.versions && !message.versions.includes(PROTOCOL_VERSION)) {
      this.#outgoing.send('error', { message: 'unsupported protocol version' });
      return this.close(closeCodes.policy, 'unsupported protocol version');
    }
    this.#outgoing.send('peer', {
      peerMetadata: { storageId: this.#host.storageId, isEphemeral: false, compares: true },
      selectedProtocolVersion: PROTOCOL_VERSION,
    });
  }

  #sync({ documentId, data, type }: Extract<ClientMessage, { type: 'sync' | 'request' }>): void {
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

  async #open(documentId: string, waiting: Incoming[]): Promise<void> {
    try {
      const right = await this.#host.rights.of(this.standing.userId, documentId);
      const document = right && !this.#closed ? await this.#host.documents.open(documentId) : null;
      if (this.#closed) return document?.release();
      if (!document || !right) return this.#unavailable(documentId);
      const peer = this.#join(document, right);
      document.release();
      for (const incoming of waiting) this.#deliver(peer, incoming);
    } catch (error) {
      this.#failed(error, { document: documentId });
    }
  }

  #join(document: OpenDocument, { mayWrite }: Right): Peer {
    const peer = new Peer(document, this, mayWrite);
    document.addPeer(peer);
    this.#slots.set(document.id, peer);
    return peer;
  }

  #compare(data: Uint8Array): void {
    const marks = readMarks(data);
    this.#budget.spend(marks.length * COST_OF_MARK);
    this.#makeRoom(marks.length);
    const answer = (held: boolean[]): void => {
      this.#budget.spend(held.filter(Boolean).length * COST_OF_FOLLOWING);
      this.#outgoing.send('compared', { data: writeVerdicts(held) });
    };
    this.#following
      .compare(marks, (documentId) => this.#slots.has(documentId))
      .then(answer)
      .catch((error: unknown) => this.#failed(error, {}));
  }

  #failed(error: unknown, about: { document?: string }): void {
    this.#log.warn({ err: error, ...about }, 'a document could not be opened or compared');
    this.close(closeCodes.tryAgainLater, 'not available now');
  }

  #makeRoom(more: number): void {
    if (this.#slots.size + this.#following.size + more > DOCUMENTS_PER_SOCKET)
      throw new Violation('too many documents');
  }

  #deliver(peer: Peer, incoming: Incoming): void {
    const { document } = peer;
    document.enqueue(() => {
      if (this.#closed) return;
      try {
        peer.receive(incoming);
      } catch (error) {
        document.recover(error);
        this.#refuse(error);
      }
    });
  }

  #ephemeral(message: Extract<ClientMessage, { type: 'ephemeral' }>): void {
    if (message.data.length > EPHEMERAL_MAX_BYTES)
      throw new Violation('ephemeral message too large');
    const own = this.#slots.get(message.documentId);
    const from = { peerId: message.senderId, count: message.count, sessionId: message.sessionId };
    if (!(own instanceof Peer))
      return this.#following.relay(message.documentId, from, message.data);
    for (const peer of own.document.peers)
      if (peer !== own) peer.device.relay(message.documentId, from, message.data);
  }

  #unavailable(documentId: string): void {
    this.#slots.delete(documentId);
    this.#refused.add(documentId);
    this.#outgoing.send('doc-unavailable', { documentId });
    if (this.#refused.size > REFUSALS_PER_SOCKET)
      return this.close(closeCodes.policy, 'too many unknown documents');
    this.#budget.spend(COST_OF_REFUSAL);
  }

  #cutOff(why: string): void {
    this.#log.info(`cutting off a socket that ${why}`);
    this.#letGo();
    this.#socket.terminate();
  }

  #refuse(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!coreIsSound()) {
      // Nothing in memory can be trusted any more; everything acknowledged is on the disk.
      this.#log.fatal({ reason }, 'Automerge is broken, starting over');
      process.exit(70);
    }
    const tooLarge = error instanceof ChunkError;
    this.#log.info({ reason }, 'refused message');
    this.close(
      tooLarge ? closeCodes.tooLarge : closeCodes.policy,
      tooLarge ? 'too large or no chunk' : 'not accepted',
    );
  }

  #letGo(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#joinTimer);
    this.#budget.stop();
    this.#following.leaveAll();
    for (const slot of this.#slots.values())
      if (slot instanceof Peer) slot.document.removePeer(slot);
    this.#slots.clear();
  }
}
