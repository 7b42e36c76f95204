import type { Logger } from 'pino';
import type { RawData, WebSocket } from 'ws';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { SocketBudget, type Budget } from './budget.ts';
import { coreIsSound } from './automerge-core.ts';
import { ChunkError, Violation } from './chunk-guard.ts';
import { DeviceDocuments } from './device-documents.ts';
import type { Documents } from './documents.ts';
import { CLOSING_MS, COST_PER_BYTE, COST_PER_MS, COST_PER_SENT_BYTE, JOIN_MS } from './limits.ts';
import { Outgoing } from './outgoing.ts';
import type { Device, EphemeralSource } from './device.ts';
import type { Listed, Rights } from './rights.ts';
import type { Standing } from './sessions.ts';
import { readMessage, type ClientMessage } from './wire.ts';

/** What a connection needs of the server. */
export interface ConnectionHost {
  /** Who this server is to its clients. */
  readonly peerId: string;
  readonly storageId: string;
  readonly documents: Documents;
  readonly rights: Rights;
  /** Up to when changes may say that they were made, where others read them; in seconds. */
  readonly timesUntil: number;
}

const PROTOCOL_VERSION = '1';

/** One socket of one session. Whatever id the peer claims is echoed, and means nothing. */
export class Connection implements Device {
  readonly standing: Standing;
  readonly #host: ConnectionHost;
  readonly #socket: WebSocket;
  readonly #log: Logger;
  readonly #budget: SocketBudget;
  readonly #outgoing: Outgoing;
  readonly #documents: DeviceDocuments;
  readonly #joinTimer: NodeJS.Timeout;
  #claimedId: string | null = null;
  #isAlive = true;
  #closed = false;

  constructor(
    host: ConnectionHost,
    socket: WebSocket,
    standing: Standing,
    { budget, listed }: { budget: Budget; listed: Promise<Listed> },
    log: Logger,
  ) {
    this.#host = host;
    this.#socket = socket;
    this.standing = standing;
    this.#budget = new SocketBudget(socket, budget);
    this.#outgoing = new Outgoing(socket, host.peerId, () => this.#cutOff('reads too slowly'));
    this.#log = log;
    this.#documents = new DeviceDocuments(
      host,
      {
        device: this,
        outgoing: this.#outgoing,
        budget: this.#budget,
        log,
        refuse: (error) => this.#refuse(error),
      },
      listed,
    );
    this.#joinTimer = setTimeout(() => this.close(closeCodes.policy, 'did not join'), JOIN_MS);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => (this.#isAlive = true));
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
    return this.#documents.relyOnRightTo(documentId);
  }

  /** Asks the other end for a sign of life; cut off is who has not given the last one. */
  ping(): void {
    if (!this.#isAlive) return this.#cutOff('gives no sign of life');
    this.#isAlive = false;
    this.#socket.ping();
  }

  sync(documentId: string, message: Uint8Array): void {
    this.#outgoing.sync(documentId, message);
    // A few bytes ask for a document of megabytes, again and again.
    this.#budget.spend(message.length * COST_PER_SENT_BYTE);
  }

  relay(documentId: string, from: EphemeralSource, data: Uint8Array): void {
    this.#outgoing.relay(documentId, from, data);
  }

  spend(ms: number): void {
    this.#budget.spend(ms * COST_PER_MS);
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
    this.#budget.spend(1 + frame.length * COST_PER_BYTE);
    this.spend(took);
  }

  #handle(message: ClientMessage): void {
    if (message.type === 'join') return this.#greet(message);
    if (this.#claimedId === null) throw new Violation('did not join');
    const isOwn = message.senderId === this.#claimedId;
    // A Repo passes ephemeral messages on to all its peers, and so those of others back to us.
    if (!isOwn && message.type === 'ephemeral') return;
    if (!isOwn) throw new Violation('speaks for another peer');
    if (message.type === 'sync' || message.type === 'request') this.#documents.sync(message);
    else if (message.type === 'ephemeral') this.#documents.passOn(message);
    else if (message.type === 'compare') this.#documents.compare(message.data);
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
    this.#documents.leaveAll();
  }
}
