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

/** Options of a client that is kept connected: it looks for its server this often, and gives up an attempt after that. */
export const MONGO_HEARTBEAT_OPTIONS = {
  heartbeatFrequencyMS: 2000,
  connectTimeoutMS: 3000,
} as const;
/** Twice what one look may take: nothing is under way then. */
const SILENCE_MAX_MS = 10_000;
const CHECK_MS = 1000;

/**
 * Connects a client anew when it stopped monitoring one of its servers. The driver (7.8.0) does so for good when a
 * connection is reset in the moment in which it is made, as when MongoDB is killed under load: from then on every operation
 * that needs that server fails, though it is back long since. Each member of a replica set has its own monitor.
 * @param client made with `LOOKOUT`
 * @param onSilence called before each attempt
 * @returns a function that ends it
 */
export function keepConnected(client: Client, onSilence: () => void): () => void {
  /** When each server's monitor last gave a sign, by address. */
  const signs = new Map<string, number>();
  /** A heartbeat may still be reported after its server was removed. */
  const removed = new Set<string>();
  let connectedAt: number = performance.now();
  let checkedAt = connectedAt;
  let isReviving = false;
  let isOver = false;
  for (const event of HEARTBEATS)
    client.on(event, ({ connectionId }) => {
      if (!removed.has(connectionId)) signs.set(connectionId, performance.now());
    });
  client.on('serverOpening', ({ address }) => {
    removed.delete(address);
    signs.set(address, performance.now());
  });
  client.on('serverClosed', ({ address }) => {
    removed.add(address);
    signs.delete(address);
  });

  async function revive(): Promise<void> {
    isReviving = true;
    onSilence();
    try {
      await client.close();
      signs.clear();
      if (!isOver) await client.connect();
      connectedAt = performance.now();
    } catch {
      // MongoDB is away: the next check tries again.
      signs.clear();
    }
    isReviving = false;
  }

  const timer = setInterval(() => {
    const now = performance.now();
    // A process that was halted itself received no heartbeat either.
    if (now - checkedAt > 3 * CHECK_MS) {
      connectedAt = now;
      for (const address of signs.keys()) signs.set(address, now);
    }
    checkedAt = now;
    const oldest = signs.size > 0 ? Math.min(...signs.values()) : connectedAt;
    if (!isReviving && now - oldest > SILENCE_MAX_MS) void revive();
  }, CHECK_MS);
  timer.unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
