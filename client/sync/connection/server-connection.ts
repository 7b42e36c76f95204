import {
  NetworkAdapter,
  type Message,
  type PeerId,
  type PeerMetadata,
} from '@automerge/automerge-repo/slim';
import { WebSocketClientAdapter } from '@automerge/automerge-repo-network-websocket';
import { backoffMs } from '#shared/backoff.ts';

export type Connection = 'connecting' | 'connected' | 'offline';

export const WAIT_MS = { first: 500, longest: 30_000 };
/** A connection that held this long was a good one: the next attempt starts over. */
const STEADY_MS = 10_000;
/** Without a connection by then, a document that is not on this device counts as unavailable for now. */
const READY_MS = 1_000;
/** The stock adapter's own retry, out of the way: it knows no backoff. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * The stock WebSocket adapter, one for each attempt, made fit for bad signals: it retries with backoff and
 * jitter, at once when the network or the person comes back, and drops what it cannot send (the Repo
 * starts its sync over with every connection).
 */
export class ServerConnection extends NetworkAdapter {
  private readonly url: string;
  private readonly onState: (state: Connection) => void;
  private readonly onRefused: () => void;
  private inner: WebSocketClientAdapter | null = null;
  private remote: PeerId | null = null;
  private attempt = 0;
  private connectedAt = 0;
  private hiddenAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSettled = false;
  private settle!: () => void;
  private readonly settled = new Promise<void>((resolve) => {
    this.settle = () => {
      this.isSettled = true;
      resolve();
    };
  });

  /**
   * @param url of the sync server
   * @param onState told whenever the state changes
   * @param onRefused told when the server could be reached but hung up before it said hello, or in the midst
   */
  constructor(url: string, onState: (state: Connection) => void, onRefused: () => void) {
    super();
    this.url = url;
    this.onState = onState;
    this.onRefused = onRefused;
  }

  override isReady(): boolean {
    return this.isSettled;
  }

  override whenReady(): Promise<void> {
    return this.settled;
  }

  override connect(peerId: PeerId, peerMetadata?: PeerMetadata): void {
    this.peerId = peerId;
    this.peerMetadata = peerMetadata;
    window.addEventListener('online', this.onOnline);
    window.addEventListener('offline', this.onOffline);
    document.addEventListener('visibilitychange', this.onVisibility);
    setTimeout(() => this.settle(), READY_MS);
    this.onState(navigator.onLine ? 'connecting' : 'offline');
    this.open();
  }

  override send(message: Message): void {
    // The Repo would pass on what others say, back to the server it came from.
    if (message.type === 'ephemeral' && message.senderId !== this.peerId) return;
    if (this.inner?.socket?.readyState === WebSocket.OPEN) this.inner.send(message);
  }

  override disconnect(): void {
    window.removeEventListener('online', this.onOnline);
    window.removeEventListener('offline', this.onOffline);
    document.removeEventListener('visibilitychange', this.onVisibility);
    clearTimeout(this.timer);
    this.hangUp();
    this.settle();
  }

  /** Hangs up and dials again, for a connection that looks open and carries nothing. */
  redial(): void {
    this.lost();
  }

  private open(): void {
    clearTimeout(this.timer);
    this.hangUp();
    const { peerId } = this;
    if (!peerId) return;
    const inner = new WebSocketClientAdapter(this.url, NEVER_MS);
    this.inner = inner;
    inner.on('peer-candidate', (peer) => {
      this.remote = peer.peerId;
      this.connectedAt = Date.now();
      this.settle();
      this.emit('peer-candidate', peer);
      this.onState('connected');
    });
    inner.on('message', (message) => this.emit('message', message));
    inner.connect(peerId, this.peerMetadata);
    // Else it would come back on its own after it closed.
    (inner as { retryInterval: number }).retryInterval = 0;
    inner.socket?.addEventListener('close', () => {
      if (this.inner !== inner) return;
      if (navigator.onLine) this.onRefused();
      this.lost();
    });
  }

  /** Forgets the socket and tells the Repo that the server is gone. */
  private hangUp(): void {
    const { inner, remote } = this;
    this.inner = null;
    this.remote = null;
    if (inner) {
      inner.removeAllListeners();
      inner.disconnect();
    }
    if (remote) this.emit('peer-disconnected', { peerId: remote });
  }

  private lost(): void {
    if (this.remote && Date.now() - this.connectedAt > STEADY_MS) this.attempt = 0;
    this.hangUp();
    this.settle();
    this.onState('offline');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), backoffMs(WAIT_MS, this.attempt++));
  }

  private readonly onOnline = () => {
    this.attempt = 0;
    this.onState('connecting');
    this.open();
  };

  private readonly onOffline = () => this.lost();

  private readonly onVisibility = () => {
    if (document.hidden) {
      this.hiddenAt = Date.now();
      return;
    }
    // A phone that slept comes back with sockets that look open and are not.
    const slept = Date.now() - this.hiddenAt > WAIT_MS.longest;
    if (!this.remote || slept) this.onOnline();
  };
}
