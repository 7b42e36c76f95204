import type { Logger } from 'pino';
import type { RawData, WebSocket } from 'ws';
import { closeCodes } from '#shared/sync/close-codes.ts';
import type { Budget } from './budget.ts';
import { coreIsSound } from './automerge-core.ts';
import { cborBytesHead, cborPrefixOfData, encodeCbor, type Encodable } from './cbor.ts';
import { ChunkError, guardChunks, type Unpacked } from './chunk-guard.ts';
import type { Documents } from './documents.ts';
import {
  CLOSING_MS,
  COST_OF_REFUSAL,
  COST_PER_BYTE,
  COST_PER_MS,
  DOCUMENTS_PER_SOCKET,
  EPHEMERAL_MAX_BYTES,
  JOIN_MS,
  REFUSALS_PER_SOCKET,
  SEND_BUFFER_MAX_BYTES,
  SEND_BUFFER_SOFT_BYTES,
} from './limits.ts';
import type { OpenDocument } from './open-document.ts';
import { Peer, Violation, type Device, type EphemeralSource } from './peer.ts';
import type { Rights } from './rights.ts';
import type { Standing } from './sessions.ts';
import { readSyncMessage, type SyncMessage } from './sync-message.ts';
import { readMessage, type ClientMessage } from './wire.ts';

/** What a connection needs of the server. */
export interface ConnectionHost {
  /** Who this server is to its clients. */
  readonly peerId: string;
  readonly storageId: string;
  readonly documents: Documents;
  readonly rights: Rights;
}

interface Incoming {
  message: SyncMessage;
  data: Uint8Array;
  unpacked: Unpacked;
  startsOver: boolean;
}

/** A document on one socket: asked for, then open. */
interface Slot {
  waiting: Incoming[];
  open: { document: OpenDocument; peer: Peer } | null;
}

const PROTOCOL_VERSION = '1';

/** One socket of one session. Whatever id the peer claims is echoed, and means nothing. */
export class Connection implements Device {
  readonly standing: Standing;
  alive = true;
  readonly #host: ConnectionHost;
  readonly #socket: WebSocket;
  readonly #log: Logger;
  readonly #budget: Budget;
  readonly #slots = new Map<string, Slot>();
  readonly #joinTimer: NodeJS.Timeout;
  #resumeTimer: NodeJS.Timeout | null = null;
  #claimedId: string | null = null;
  /** Ids that it asked for and may not read, or that nobody has. */
  readonly #refused = new Set<string>();
  #closed = false;

  constructor(
    host: ConnectionHost,
    socket: WebSocket,
    standing: Standing,
    budget: Budget,
    log: Logger,
  ) {
    this.#host = host;
    this.#socket = socket;
    this.standing = standing;
    this.#budget = budget;
    this.#log = log;
    this.#joinTimer = setTimeout(() => this.close(closeCodes.policy, 'did not join'), JOIN_MS);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => (this.alive = true));
    socket.on('error', (error) => this.#log.info({ reason: error.message }, 'socket failed'));
    socket.on('close', (code) => this.#left(code));
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
    return this.#slots.has(documentId) || this.#refused.has(documentId);
  }

  /** Asks the other end for a sign of life. @returns false when the last one did not come */
  ping(): boolean {
    if (!this.alive) {
      this.#letGo();
      this.#socket.terminate();
      return false;
    }
    this.alive = false;
    this.#socket.ping();
    return true;
  }

  /** Passes on somebody's ephemeral message, unless the socket is slow. */
  relay(documentId: string, from: EphemeralSource, data: Uint8Array): void {
    if (this.#socket.bufferedAmount > SEND_BUFFER_SOFT_BYTES) return;
    const { peerId, count, sessionId } = from;
    this.#sendMap({
      type: 'ephemeral',
      senderId: peerId,
      targetId: this.#claimedId ?? '',
      documentId,
      count,
      sessionId,
      data,
    });
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
    this.#spend(1 + frame.length * COST_PER_BYTE + took * COST_PER_MS);
  }

  #handle(message: ClientMessage): void {
    if (message.type === 'join') return this.#join(message);
    if (this.#claimedId === null) throw new Violation('did not join');
    if (message.senderId !== this.#claimedId) throw new Violation('speaks for another peer');
    if (message.type === 'sync' || message.type === 'request') this.#sync(message);
    else if (message.type === 'ephemeral') this.#ephemeral(message);
  }

  #join(message: Extract<ClientMessage, { type: 'join' }>): void {
    if (this.#claimedId !== null) throw new Violation('joined twice');
    this.#claimedId = message.senderId;
    clearTimeout(this.#joinTimer);
    const addressed = this.#addressed();
    if (message.versions && !message.versions.includes(PROTOCOL_VERSION)) {
      this.#sendMap({ type: 'error', ...addressed, message: 'unsupported protocol version' });
      return this.close(closeCodes.policy, 'unsupported protocol version');
    }
    this.#sendMap({
      type: 'peer',
      ...addressed,
      peerMetadata: { storageId: this.#host.storageId, isEphemeral: false },
      selectedProtocolVersion: PROTOCOL_VERSION,
    });
  }

  #sync({ documentId, data, type }: Extract<ClientMessage, { type: 'sync' | 'request' }>): void {
    const message = readSyncMessage(data);
    const slot = this.#slots.get(documentId);
    if (type === 'sync' && slot?.open?.peer.confirms(message)) return;
    const unpacked = guardChunks(message.chunks);
    const incoming = { message, data, unpacked, startsOver: type === 'request' };
    if (slot?.open) this.#deliver(slot.open, incoming);
    else if (slot) slot.waiting.push(incoming);
    else {
      if (this.#slots.size >= DOCUMENTS_PER_SOCKET) throw new Violation('too many documents');
      const opening: Slot = { waiting: [incoming], open: null };
      this.#slots.set(documentId, opening);
      void this.#open(documentId, opening);
    }
  }

  async #open(documentId: string, slot: Slot): Promise<void> {
    try {
      const right = await this.#host.rights.of(this.standing.userId, documentId);
      const document = right && !this.#closed ? await this.#host.documents.open(documentId) : null;
      if (this.#closed) return document?.release();
      if (!document || !right) return this.#unavailable(documentId);
      const peer = new Peer(document, this, right.mayWrite, this.#sender(documentId));
      document.addPeer(peer);
      document.release();
      slot.open = { document, peer };
      for (const incoming of slot.waiting.splice(0)) this.#deliver(slot.open, incoming);
    } catch (error) {
      this.#log.warn({ err: error, document: documentId }, 'a document could not be opened');
      this.close(closeCodes.tryAgainLater, 'not available now');
    }
  }

  #deliver({ document, peer }: NonNullable<Slot['open']>, incoming: Incoming): void {
    document.enqueue(() => {
      if (this.#closed) return;
      const { message, data, unpacked, startsOver } = incoming;
      try {
        peer.receive(message, data, unpacked, startsOver);
      } catch (error) {
        document.recover(error);
        this.#refuse(error);
      }
    });
  }

  #ephemeral(message: Extract<ClientMessage, { type: 'ephemeral' }>): void {
    if (message.data.length > EPHEMERAL_MAX_BYTES)
      throw new Violation('ephemeral message too large');
    const open = this.#slots.get(message.documentId)?.open;
    if (!open) return;
    const from = { peerId: message.senderId, count: message.count, sessionId: message.sessionId };
    for (const peer of open.document.peers)
      if (peer !== open.peer) peer.device.relay(message.documentId, from, message.data);
  }

  #unavailable(documentId: string): void {
    this.#slots.delete(documentId);
    this.#refused.add(documentId);
    this.#sendMap({ type: 'doc-unavailable', ...this.#addressed(), documentId });
    if (this.#refused.size > REFUSALS_PER_SOCKET)
      return this.close(closeCodes.policy, 'too many unknown documents');
    this.#spend(COST_OF_REFUSAL);
  }

  #sender(documentId: string): (message: Uint8Array) => void {
    const prefix = cborPrefixOfData({ type: 'sync', ...this.#addressed(), documentId });
    return (message) => this.#send(Buffer.concat([prefix, cborBytesHead(message.length), message]));
  }

  #addressed() {
    return { senderId: this.#host.peerId, targetId: this.#claimedId ?? '' };
  }

  #sendMap(map: Record<string, Encodable>): void {
    this.#send(encodeCbor(map));
  }

  #send(frame: Buffer): void {
    if (this.#closed) return;
    if (this.#socket.bufferedAmount > SEND_BUFFER_MAX_BYTES) {
      this.#log.info('cutting off a socket that reads too slowly');
      this.#letGo();
      this.#socket.terminate();
      return;
    }
    this.#socket.send(frame);
  }

  /** Whoever asks for too much is not heard for a while. */
  #spend(cost: number): void {
    const pause = this.#budget.spend(cost);
    if (pause === 0 || this.#closed || this.#resumeTimer) return;
    this.#socket.pause();
    this.#resumeTimer = setTimeout(() => {
      this.#resumeTimer = null;
      if (!this.#closed) this.#socket.resume();
    }, pause);
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

  #left(code: number): void {
    this.#log.info({ code }, 'socket closed');
    this.#letGo();
  }

  #letGo(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#joinTimer);
    if (this.#resumeTimer) clearTimeout(this.#resumeTimer);
    for (const { open } of this.#slots.values()) open?.document.removePeer(open.peer);
    this.#slots.clear();
  }
}
