import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The part of `MongoClient` that is used here. */
interface Client {
  on(event: (typeof HEARTBEATS)[number], listener: (heartbeat: Heartbeat) => void): unknown;
  on(event: 'serverOpening' | 'serverClosed', listener: (server: Server) => void): unknown;
  close(): Promise<void>;
  connect(): Promise<unknown>;
}

/** `connectionId` is the address of the server. */
interface Heartbeat {
  connectionId: string;
}
interface Server {
  address: string;
}

const HEARTBEATS = [
  'serverHeartbeatStarted',
  'serverHeartbeatSucceeded',
  'serverHeartbeatFailed',
] as const;

/** Options of a client for `keepConnected`: the interval of heartbeats, and the timeout of one. */
export const MONGO_HEARTBEAT_OPTIONS = {
  heartbeatFrequencyMS: 2000,
  connectTimeoutMS: 3000,
} as const;
/** Twice the maximum duration of a heartbeat, so none is in progress then. */
const SILENCE_MAX_MS = 10_000;
const CHECK_MS = 1000;

/**
 * Reconnects a client that stopped monitoring one of its servers. The driver (7.8.0) stops permanently if a connection is reset
 * while it is being opened, such as when MongoDB is killed under load; all operations that need that server fail from then on.
 * Each member of a replica set has its own monitor.
 * @param client created with `MONGO_HEARTBEAT_OPTIONS`
 * @param onSilence called before each attempt
 * @returns a function that stops the watchdog
 */
export function keepConnected(client: Client, onSilence: () => void): () => void {
  /** The time of each server's last heartbeat event, by address. */
  const heartbeats = new Map<string, number>();
  /** A heartbeat may still be reported after its server was removed. */
  const removed = new Set<string>();
  let connectedAt: number = performance.now();
  let checkedAt = connectedAt;
  let isReconnecting = false;
  let isStopped = false;
  for (const event of HEARTBEATS)
    client.on(event, ({ connectionId }) => {
      if (!removed.has(connectionId)) heartbeats.set(connectionId, performance.now());
    });
  client.on('serverOpening', ({ address }) => {
    removed.delete(address);
    heartbeats.set(address, performance.now());
  });
  client.on('serverClosed', ({ address }) => {
    removed.add(address);
    heartbeats.delete(address);
  });

  async function reconnect(): Promise<void> {
    isReconnecting = true;
    onSilence();
    try {
      await client.close();
      heartbeats.clear();
      if (!isStopped) await client.connect();
      connectedAt = performance.now();
    } catch {
      // MongoDB is down: the next check tries again.
      heartbeats.clear();
    }
    isReconnecting = false;
  }

  const timer = setInterval(() => {
    const now = performance.now();
    // A process that was suspended received no heartbeats either.
    if (now - checkedAt > 3 * CHECK_MS) {
      connectedAt = now;
      for (const address of heartbeats.keys()) heartbeats.set(address, now);
    }
    checkedAt = now;
    const oldest = heartbeats.size > 0 ? Math.min(...heartbeats.values()) : connectedAt;
    if (!isReconnecting && now - oldest > SILENCE_MAX_MS) void reconnect();
  }, CHECK_MS);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

/** The driver's class of a connection, which it does not export. */
interface DriverConnection {
  readonly closed: boolean;
  readonly socket: Socket;
  cleanup(error: Error): void;
}

const DRIVER_FILE = 'mongodb/lib/cmap/connection.js';
let isDone = false;

/**
 * Has a command that waits to be written fail when its connection is closed. The driver (7.8.0 and 7.9.0) waits for 'drain' and
 * 'error' of the socket, and closes it without either, for example when a server is frozen or killed: without this, the command never
 * ends, nor what waits for it, such as all later changes of all documents. No timeout of the driver applies any more.
 * @throws when the driver has no such class
 */
export function endClosedWrites(): void {
  if (isDone) return;
  isDone = true;
  const { Connection } = createRequire(import.meta.url)(DRIVER_FILE) as {
    Connection: { prototype: DriverConnection };
  };
  const { cleanup } = Connection.prototype;
  Connection.prototype.cleanup = function (this: DriverConnection, error: Error) {
    const wasClosed = this.closed;
    cleanup.call(this, error);
    if (!wasClosed && this.socket.listenerCount('drain') > 0) this.socket.emit('error', error);
  };
}
