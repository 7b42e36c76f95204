import { WebSocketClientAdapter } from '@automerge/automerge-repo-network-websocket';
import {
  NetworkAdapter,
  type DocumentId,
  type Message,
  type PeerId,
  type PeerMetadata,
} from '@automerge/automerge-repo/slim';
import { backoffMs } from '#shared/backoff.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { SLOWEST_BYTES_PER_MS } from '#shared/sync/limits.ts';
import { readRefusalReason } from '#shared/sync/refusals.ts';
import { noteAnswer, reachability } from '../../http/reachability.ts';
import { Uploads, type Refusals } from './uploads.ts';

/** What is done with what arrives of documents. */
export interface Incoming {
  /** See `ReceivedBounds.check`. */
  check(documentId: string, data: Uint8Array): Promise<void> | null;
  /** A document is left out: nothing of it that arrives over this connection is applied any more. */
  leaveOut(documentId: string, error: unknown): void;
}

const UNCHECKED: Incoming = { check: () => null, leaveOut() {} };

export type Connection = 'connecting' | 'connected' | 'offline';

/** The codes with which the server closes a socket only to have it opened again. */
const PASSING: number[] = [
  closeCodes.goingAway,
  closeCodes.tryAgainLater,
  closeCodes.rightsChanged,
];

export const WAIT_MS = { first: 500, longest: 30_000 };
/** After a connection that lasted this long, the wait before the next attempt starts over. */
const STEADY_MS = 10_000;
/** Without a connection by then, a document that is not on this device counts as unavailable for now. */
export const READY = { withinMs: 1_000 };
/** Disables the stock adapter's own retry, which has no backoff. */
const NEVER_MS = 2 ** 31 - 1;
/** After so long without a message while changes are unconfirmed, an open connection may carry nothing. It doubles with each stall in a row. */
const STALLED_MS = 15_000;
const STALLS_COUNTED = 5;
/** The longest that what is on its way prolongs that. */
const ON_THE_WAY_MAX_MS = 600_000;

interface ServerConnectionOptions {
  /** Receives each new state. */
  onState: (state: Connection) => void;
  /** Called with the code when the server was reached but closed the connection. */
  onRefused?: (code: number) => void;
  /** The documents whose changes the server refused. */
  refusals?: Refusals;
  /** Checks what arrives. */
  incoming?: Incoming;
}

/**
 * Wraps the stock WebSocket adapter, a new one for each attempt, to cope with bad signals: retries with backoff and jitter, and
 * at once when the network comes back or the user returns; dials again when a connection stalls; sends changes in parts; and drops
 * messages that it cannot send, and changes that were refused, because the Repo starts its sync over with every connection.
 */
export class ServerConnection extends NetworkAdapter {
  readonly #url: string;
  readonly #onState: (state: Connection) => void;
  readonly #onRefused: (code: number) => void;
  readonly #refusals: Refusals;
  readonly #uploads: Uploads;
  readonly #incoming: Incoming;
  /** By document, what waits until parts of earlier messages are decompressed. */
  readonly #checking = new Map<string, Promise<unknown>>();
  /** Ids of documents of which something arrived that may not be applied. */
  readonly #leftOut = new Set<string>();
  #inner: WebSocketClientAdapter | null = null;
  #remote: PeerId | null = null;
  #attempt = 0;
  #connectedAt = 0;
  #hiddenAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stallTimer: ReturnType<typeof setTimeout> | undefined;
  #stalls = 0;
  /** When a connection that carries nothing counts as stalled. */
  #stallsAt = 0;
  #isSettled = false;
  #settle!: () => void;
  readonly #settled = new Promise<void>((resolve) => {
    this.#settle = () => {
      this.#isSettled = true;
      resolve();
    };
  });

  /** @param url of the sync server */
  constructor(
    url: string,
    {
      onState,
      onRefused = () => {},
      refusals = { add() {}, isHeld: () => false },
      incoming = UNCHECKED,
    }: ServerConnectionOptions,
  ) {
    super();
    this.#url = url;
    this.#onState = onState;
    this.#onRefused = onRefused;
    this.#refusals = refusals;
    this.#incoming = incoming;
    this.#uploads = new Uploads((message) => this.#put(message), refusals);
  }

  override isReady(): boolean {
    return this.#isSettled;
  }

  override whenReady(): Promise<void> {
    return this.#settled;
  }

  override connect(peerId: PeerId, peerMetadata?: PeerMetadata): void {
    this.peerId = peerId;
    this.peerMetadata = peerMetadata;
    window.addEventListener('online', this.#onOnline);
    window.addEventListener('offline', this.#onOffline);
    document.addEventListener('visibilitychange', this.#onVisibility);
    setTimeout(() => this.#settle(), READY.withinMs);
    this.#onState('connecting');
    this.#open();
  }

  override send(message: Message): void {
    // The Repo would send the messages of other peers back to the server they came from.
    if (message.type === 'ephemeral' && message.senderId !== this.peerId) return;
    if (this.#inner?.socket?.readyState !== WebSocket.OPEN) return;
    const { type, documentId, data } = message;
    if (type === 'sync' && documentId && data && this.#uploads.take(documentId, message, data))
      return;
    this.#put(message);
  }

  #put(message: Message): void {
    this.#inner?.send(message);
    this.#prolong(message.data?.length ?? 0);
  }

  /** Connects again, so that the Repo offers all changes that the server does not have. */
  offerAgain(): void {
    if (this.#remote) this.#open();
  }

  override disconnect(): void {
    window.removeEventListener('online', this.#onOnline);
    window.removeEventListener('offline', this.#onOffline);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    clearTimeout(this.#timer);
    this.#hangUp();
    this.#settle();
  }

  /**
   * Dials again when an open connection carries nothing for a while. Called after each change of the state.
   * @param isConfirmed whether the server has all changes
   */
  watchForStall(isConfirmed: boolean): void {
    if (isConfirmed) this.#stalls = 0;
    if (isConfirmed || !this.#remote) return this.#stopStallTimer();
    if (this.#stallTimer !== undefined) return;
    this.#noteLife();
    this.#lookForStall();
  }

  #lookForStall(): void {
    this.#stallTimer = setTimeout(
      () => {
        if (Date.now() < this.#stallsAt) return this.#lookForStall();
        this.#stalls = Math.min(STALLS_COUNTED, this.#stalls + 1);
        this.#lost();
      },
      Math.max(0, this.#stallsAt - Date.now()),
    );
  }

  /** The connection carries something. */
  #noteLife(): void {
    this.#stallsAt = Math.max(this.#stallsAt, Date.now() + STALLED_MS * 2 ** this.#stalls);
  }

  /** Nothing else arrives while bytes are on their way over a slow line, in either direction. */
  #prolong(bytes: number): void {
    const latest = Date.now() + ON_THE_WAY_MAX_MS;
    this.#stallsAt = Math.min(latest, this.#stallsAt + bytes / SLOWEST_BYTES_PER_MS);
  }

  #stopStallTimer(): void {
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#hangUp();
    const { peerId } = this;
    if (!peerId) return;
    const inner = new WebSocketClientAdapter(this.#url, NEVER_MS);
    this.#inner = inner;
    // It would throw in Node. The socket closes after an error anyway.
    inner.onError = () => {};
    inner.on('peer-candidate', (peer) => {
      this.#remote = peer.peerId;
      this.#connectedAt = Date.now();
      noteAnswer();
      this.#settle();
      this.emit('peer-candidate', peer);
      this.#onState('connected');
    });
    inner.on('message', (message) => {
      if (message.type !== 'ephemeral') this.#noteLife();
      this.#checked(inner, message, () => {
        this.#received(message);
        // The Repo ignores unknown types.
        this.emit('message', message);
      });
    });
    inner.connect(peerId, this.peerMetadata);
    // Otherwise, it would reconnect by itself after it closed.
    (inner as { retryInterval: number }).retryInterval = 0;
    inner.socket?.addEventListener('close', ({ code }) => {
      if (this.#inner !== inner) return;
      if (reachability.get()) this.#onRefused(code);
      this.#lost(PASSING.includes(code) ? 'connecting' : 'offline');
    });
  }

  #received(message: Message & { reason?: unknown; bytes?: unknown }): void {
    const { type, documentId, reason, bytes } = message;
    if (type === 'sending' && typeof bytes === 'number') this.#prolong(bytes);
    if (!documentId) return;
    if (type === 'refused') {
      const why = readRefusalReason(reason);
      if (!this.#uploads.refused(documentId, why)) this.#refusals.add(documentId, why);
    } else if (type === 'sync' || type === 'doc-unavailable') this.#uploads.answered(documentId);
  }

  /** Delivers a message that may be applied, after earlier ones about its document. */
  #checked(inner: WebSocketClientAdapter, message: Message, deliver: () => void): void {
    const { documentId, data, type } = message;
    if (!documentId) return deliver();
    const isSync = (type === 'sync' || type === 'request') && data !== undefined;
    const run = (): Promise<unknown> | null => {
      if (this.#inner !== inner || (isSync && this.#leftOut.has(documentId))) return null;
      try {
        const checking = isSync ? this.#incoming.check(documentId, data) : null;
        if (checking) return checking.then(deliverNow, refuse);
        deliver();
      } catch (error) {
        refuse(error);
      }
      return null;
    };
    const deliverNow = () => {
      if (this.#inner === inner) deliver();
    };
    const refuse = (error: unknown) => {
      if (this.#inner === inner) this.#leaveOut(documentId, error);
    };
    const earlier = this.#checking.get(documentId);
    const now = earlier ? earlier.then(run) : run();
    if (!now) return;
    const settled: Promise<unknown> = Promise.resolve(now).then(() => {
      if (this.#checking.get(documentId) === settled) this.#checking.delete(documentId);
      return undefined;
    });
    this.#checking.set(documentId, settled);
  }

  #leaveOut(documentId: DocumentId, error: unknown): void {
    this.#leftOut.add(documentId);
    this.#incoming.leaveOut(documentId, error);
    const { peerId: targetId } = this;
    const senderId = this.#remote;
    // Otherwise, what is not on this device would be waited for.
    if (senderId && targetId)
      this.emit('message', { type: 'doc-unavailable', senderId, targetId, documentId });
  }

  /** Closes the socket and reports to the Repo that the server has disconnected. */
  #hangUp(): void {
    this.#stopStallTimer();
    const inner = this.#inner;
    const remote = this.#remote;
    this.#inner = null;
    this.#remote = null;
    this.#stallsAt = 0;
    this.#uploads.clear();
    this.#checking.clear();
    this.#leftOut.clear();
    if (inner) {
      inner.removeAllListeners();
      inner.disconnect();
    }
    if (remote) this.emit('peer-disconnected', { peerId: remote });
  }

  #lost(state: Connection = 'offline'): void {
    if (this.#remote && Date.now() - this.#connectedAt > STEADY_MS) this.#attempt = 0;
    this.#hangUp();
    this.#settle();
    this.#onState(state);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), backoffMs(WAIT_MS, this.#attempt++));
  }

  readonly #onOnline = () => {
    this.#attempt = 0;
    this.#onState('connecting');
    this.#open();
  };

  /** A hint: a connection that still works is there again after the first attempt. */
  readonly #onOffline = () => this.#lost();

  readonly #onVisibility = () => {
    if (document.hidden) {
      this.#hiddenAt = Date.now();
      return;
    }
    // After a phone has slept, its sockets look open but are dead.
    const slept = Date.now() - this.#hiddenAt > WAIT_MS.longest;
    if (!this.#remote || slept) this.#onOnline();
  };
}
