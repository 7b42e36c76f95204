/** What of the MongoDB driver's client is needed here. */
interface Client {
  on(event: (typeof SIGNS)[number], listener: () => void): unknown;
  close(): Promise<void>;
  connect(): Promise<unknown>;
}

const SIGNS = [
  'serverHeartbeatStarted',
  'serverHeartbeatSucceeded',
  'serverHeartbeatFailed',
] as const;

/** Options of a client that is kept connected: it looks for its server this often, and gives up an attempt after that. */
export const LOOKOUT = { heartbeatFrequencyMS: 2000, connectTimeoutMS: 3000 } as const;
/** Twice what one look may take: nothing is under way then. */
const SILENCE_MAX_MS = 10_000;
const CHECK_MS = 1000;

/**
 * Connects a client anew when it has stopped to look for its server. The driver (7.8.0) does so for good when a
 * connection is reset in the moment in which it is made, as when MongoDB is killed under load: from then on every operation
 * fails, though MongoDB is back long since.
 * @param client made with `LOOKOUT`
 * @param onSilence told before each attempt
 * @returns what ends it
 */
export function keepConnected(client: Client, onSilence: () => void): () => void {
  let sign = performance.now();
  let checked = sign;
  let isReviving = false;
  let isOver = false;
  for (const event of SIGNS) client.on(event, () => (sign = performance.now()));

  async function revive(): Promise<void> {
    isReviving = true;
    onSilence();
    try {
      await client.close();
      if (!isOver) await client.connect();
      sign = performance.now();
    } catch {
      // MongoDB is away: the next check tries again.
    }
    isReviving = false;
  }

  const timer = setInterval(() => {
    const now = performance.now();
    // A process that was halted itself has heard nothing either.
    if (now - checked > 3 * CHECK_MS) sign = now;
    checked = now;
    if (!isReviving && now - sign > SILENCE_MAX_MS) void revive();
  }, CHECK_MS);
  timer.unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
