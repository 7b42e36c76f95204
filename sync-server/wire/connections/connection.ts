import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { RawData, WebSocket } from 'ws';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { SLOWEST_BYTES_PER_MS } from '#shared/sync/limits.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import type { Permission, PermissionSnapshot } from '../../core/access/document-permissions.ts';
import type { ActiveSession } from '../../core/access/sessions.ts';
import { coreIsSound } from '../../core/documents/automerge-core.ts';
import { currentDocument } from '../../core/documents/current-document.ts';
import type { EphemeralSource } from '../../core/documents/open-document.ts';
import {
  ANNOUNCED_FROM_BYTES,
  CLOSING_MS,
  COST_OF_REFUSAL,
  COST_PER_BYTE,
  COST_PER_MS,
  COST_PER_SENT_BYTE,
  JOIN_MS,
  PING_MS,
  SEND_BUFFER_MAX_BYTES,
  SEND_BUFFER_SOFT_BYTES,
  SILENT_MAX_MS,
} from '../../core/limits.ts';
import {
  encodeCbor,
  encodeDocumentMessage,
  encodeMapStart,
  readMessage,
  type ClientMessage,
  type Encodable,
} from '../client-messages.ts';
import { ConnectionDocuments } from './connection-documents.ts';
import type { DocumentsConnection, DocumentsHost } from './documents-host.ts';
import type { TokenBucket } from './token-bucket.ts';

/** The services that a connection uses. */
export interface ConnectionHost extends DocumentsHost {
  /** The ids by which clients know this server. */
  readonly peerId: string;
  readonly storageId: string;
  readonly nodes: Verified;
}

interface ConnectionOptions {
  socket: WebSocket;
  /** The TCP connection of the socket. */
  line: Pick<Socket, 'bytesRead'>;
  session: ActiveSession;
  /** The rate limit of all connections of the user. */
  bucket: TokenBucket;
  /** The documents that the user may read. */
  snapshot: Promise<PermissionSnapshot>;
  log: Logger;
}

/** Whether this node knows who may read and write what now. */
interface Verified {
  isVerified(): boolean;
  /** Resolves when it does, or this node stops. */
  verified(): Promise<void>;
}

const PROTOCOL_VERSION = '1';

/** A WebSocket of a session. The peer id that the client claims is only echoed. */
export class Connection implements DocumentsConnection {
  readonly session: ActiveSession;
  readonly log: Logger;
  readonly #host: ConnectionHost;
  readonly #socket: WebSocket;
  readonly #line: Pick<Socket, 'bytesRead'>;
  readonly #bucket: TokenBucket;
  readonly #documents: ConnectionDocuments;
  readonly #joinTimer: NodeJS.Timeout;
  /** One per connection: pinging thousands at the same moment would delay everything else. */
  readonly #pingTimer: NodeJS.Timeout;
  #pauseTimer: NodeJS.Timeout | null = null;
  /** Messages that wait for the user's turn. */
  #queued = 0;
  /** Messages that wait until permissions are verified. */
  #waiting: [data: RawData, isBinary: boolean][] | null = null;
  #claimedId: string | null = null;
  /** The first bytes of every sync message. */
  #syncStart: Uint8Array = new Uint8Array();
  /** How many bytes had arrived at the last ping. */
  #heardBytes = -1;
  /** When all that was sent has arrived on the slowest line. */
  #arrivedAt = 0;
  #sentSincePing = 0;
  #isClosed = false;

  constructor(
    host: ConnectionHost,
    { socket, line, session, bucket, snapshot, log }: ConnectionOptions,
  ) {
    this.#host = host;
    this.#socket = socket;
    this.#line = line;
    this.session = session;
    this.#bucket = bucket;
    this.log = log;
    this.#documents = new ConnectionDocuments(host, this, snapshot);
    this.#joinTimer = setTimeout(() => this.close(closeCodes.policy, 'did not join'), JOIN_MS);
    this.#pingTimer = setInterval(() => this.#ping(), PING_MS);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // All that was sent before the ping has arrived.
    socket.on('pong', () => this.#arrivesIn(this.#sentSincePing, 0));
    socket.on('error', (error) => this.log.info({ reason: error.message }, 'socket failed'));
    socket.on('close', (code) => {
      this.log.info({ code }, 'socket closed');
      this.#release();
    });
  }

  get userId(): string {
    return this.session.userId;
  }

  /** Closes the socket with a reason and releases its documents. */
  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.log.info({ code, reason }, 'closing socket');
    this.#release();
    this.#socket.resume();
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), CLOSING_MS).unref();
  }

  refuse(documentId: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (!coreIsSound()) {
      // Nothing in memory can be trusted any more; everything acknowledged is on the disk.
      this.log.fatal({ reason: message }, 'Automerge is broken, restarting');
      currentDocument.during(documentId, () => currentDocument.endProcess());
    }
    const reason = error instanceof Refusal ? error.reason : 'invalid';
    this.log.info({ document: documentId, reason, message }, 'refused message');
    this.send('refused', { documentId, reason });
    this.charge(COST_OF_REFUSAL);
  }

  /** Whether the client has the document open, or received that it is unavailable. */
  reliesOnPermission(documentId: string): boolean {
    return this.#documents.reliesOnPermission(documentId);
  }

  /** Whether a document was not opened because it was in quarantine. */
  isWaitingFor(documentId: string): boolean {
    return this.#documents.isQuarantined(documentId);
  }

  /** See `ConnectionDocuments.hasPermissions`. */
  hasPermissions(
    permissions: ReadonlyMap<string, Permission>,
    ids?: readonly string[],
  ): Promise<boolean> {
    return this.#documents.hasPermissions(permissions, ids);
  }

  send(type: string, fields: Record<string, Encodable>): void {
    this.#write(encodeCbor({ type, ...this.#addresses(), ...fields }));
  }

  sendSync(documentId: string, message: Uint8Array): void {
    this.#write(encodeDocumentMessage(this.#syncStart, documentId, message));
    // A few bytes can request a document of megabytes, again and again.
    this.charge(message.length * COST_PER_SENT_BYTE);
  }

  /** Sends an ephemeral message of another device, unless too much is waiting to be sent. */
  sendEphemeral(documentId: string, source: EphemeralSource, data: Uint8Array): void {
    if (this.#socket.bufferedAmount > SEND_BUFFER_SOFT_BYTES) return;
    const { peerId, count, sessionId } = source;
    this.send('ephemeral', { senderId: peerId, documentId, count, sessionId, data });
  }

  /** Pauses the socket while the user has exceeded the rate limit. */
  charge(cost: number): void {
    const pauseMs = this.#bucket.spend(cost);
    if (pauseMs === 0 || this.#isClosed || this.#pauseTimer) return;
    this.#socket.pause();
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = null;
      this.#resume();
    }, pauseMs);
  }

  loadInTurn<T>(load: () => Promise<T>): Promise<T> {
    return this.#bucket.loadInTurn(load);
  }

  chargeTime(ms: number): void {
    this.charge(ms * COST_PER_MS);
  }

  /** Reads on if nothing that arrived waits, and the user has not exceeded the rate limit. */
  #resume(): void {
    if (!this.#pauseTimer && !this.#waiting && this.#queued === 0) this.#socket.resume();
  }

  /** A message can take long, and a user can send some over each of many sockets at once. */
  #receive(raw: RawData, isBinary: boolean): void {
    const isDone = this.#host.documents.turns.runSoon(this.userId, () => {
      this.#handleFrame(raw, isBinary);
      if (this.#queued > 0 && --this.#queued === 0) this.#resume();
    });
    if (isDone) return;
    this.#queued++;
    this.#socket.pause();
  }

  #handleFrame(raw: RawData, isBinary: boolean): void {
    if (this.#isClosed) return;
    if (this.#waiting) return void this.#waiting.push([raw, isBinary]);
    const { nodes } = this.#host;
    if (!nodes.isVerified()) return void this.#receiveWhenVerified(nodes, raw, isBinary);
    if (!isBinary) return this.close(closeCodes.unsupported, 'text frame');
    const frame = raw as Buffer;
    const started = performance.now();
    try {
      this.#handle(readMessage(frame));
    } catch (error) {
      this.log.info({ reason: (error as Error).message }, 'not a message');
      this.close(closeCodes.policy, 'not accepted');
    }
    const took = performance.now() - started;
    this.charge(1 + frame.length * COST_PER_BYTE);
    this.chargeTime(took);
  }

  /** A permission may have ended: until this node knows, it answers nothing. */
  async #receiveWhenVerified(nodes: Verified, raw: RawData, isBinary: boolean): Promise<void> {
    const messages: [RawData, boolean][] = [[raw, isBinary]];
    this.#waiting = messages;
    this.#socket.pause();
    await nodes.verified();
    this.#waiting = null;
    if (this.#isClosed) return;
    this.#resume();
    for (const [data, isBinaryToo] of messages) this.#handleFrame(data, isBinaryToo);
  }

  #handle(message: ClientMessage): void {
    if (message.type === 'join') return this.#join(message);
    if (this.#claimedId === null) throw new Error('did not join');
    const isOwn = message.senderId === this.#claimedId;
    // A Repo forwards ephemeral messages to all its peers, including those that it received from us.
    if (!isOwn && message.type === 'ephemeral') return;
    if (!isOwn) throw new Error('wrong sender');
    if (message.type === 'sync' || message.type === 'request') this.#documents.sync(message);
    else if (message.type === 'ephemeral') this.#documents.forwardEphemeral(message);
    else if (message.type === 'compare') this.#documents.compare(message.data);
  }

  #join({ senderId, versions }: Extract<ClientMessage, { type: 'join' }>): void {
    if (this.#claimedId !== null) throw new Error('joined twice');
    this.#claimedId = senderId;
    clearTimeout(this.#joinTimer);
    const start = { type: 'sync', ...this.#addresses() };
    this.#syncStart = encodeMapStart(start, ['documentId', 'data']);
    if (versions && !versions.includes(PROTOCOL_VERSION)) {
      this.send('error', { message: 'unsupported protocol version' });
      return this.close(closeCodes.policy, 'unsupported protocol version');
    }
    this.send('peer', {
      peerMetadata: { storageId: this.#host.storageId, isEphemeral: false, compares: true },
      selectedProtocolVersion: PROTOCOL_VERSION,
    });
  }

  #addresses() {
    return { senderId: this.#host.peerId, targetId: this.#claimedId ?? '' };
  }

  #write(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > SEND_BUFFER_MAX_BYTES)
      return this.#terminate('reads too slowly');
    // Nothing else reaches the device meanwhile: a slow line is not a broken one.
    if (frame.length >= ANNOUNCED_FROM_BYTES)
      this.#socket.send(encodeCbor({ type: 'sending', ...this.#addresses(), bytes: frame.length }));
    this.#socket.send(frame);
    this.#sentSincePing += frame.length;
    this.#arrivesIn(frame.length, this.#arrivedAt);
  }

  #terminate(reason: string): void {
    this.log.info({ reason }, 'terminating socket');
    this.#release();
    this.#socket.terminate();
  }

  #arrivesIn(bytes: number, after: number): void {
    const now = performance.now();
    const ms = Math.max(0, after - now) + bytes / SLOWEST_BYTES_PER_MS;
    this.#arrivedAt = now + Math.min(SILENT_MAX_MS, ms);
  }

  /**
   * Pings the client; terminates the socket if nothing has arrived since the previous ping. On a slow line, the ping waits behind what was
   * sent before it, and its answer behind what the client sends.
   */
  #ping(): void {
    const { bytesRead } = this.#line;
    if (bytesRead === this.#heardBytes && performance.now() > this.#arrivedAt)
      return this.#terminate('did not answer a ping');
    this.#heardBytes = bytesRead;
    this.#sentSincePing = 0;
    this.#socket.ping();
  }

  #release(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#joinTimer);
    clearInterval(this.#pingTimer);
    if (this.#pauseTimer) clearTimeout(this.#pauseTimer);
    this.#documents.leaveAll();
  }
}
