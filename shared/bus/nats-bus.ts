import { setTimeout as wait } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { askNats } from './ask-nats.ts';
import { type Bus, type BusHandler, DRAIN_MS } from './bus.ts';

/** A connection that carries nothing is noticed after three times this time: when a third ping is due. */
const PING_MS = 1_000;
const RECONNECT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
const FLUSH_MAX_MS = 250;

/**
 * Connects to NATS. If no server answers now, it connects later: until then, `isConnected` is false.
 * @param urls addresses of the servers, separated by commas, such as `nats://user:password@host:4222`. The user of the first one counts
 * @param log called when the connection breaks or returns
 */
export async function createNatsBus(urls: string, log: (message: string) => void): Promise<Bus> {
  const servers = urls
    .split(',')
    .map((url) => new URL(url.includes('://') ? url.trim() : `nats://${url.trim()}`));
  const [{ username, password } = { username: '', password: '' }] = servers;
  const reconnectHandlers = new Set<() => void>();
  const subscriptions = new Map<number, { subject: string; handler: BusHandler; end(): void }>();
  let nextId = 1;
  let isConnected = false;
  let isClosed = false;
  let connection: NatsConnection | null = null;

  function attach(id: number): void {
    const subscription = subscriptions.get(id);
    if (!connection || !subscription) return;
    const { unsubscribe } = bind(connection, subscription.subject, subscription.handler, log);
    subscription.end = unsubscribe;
  }

  async function open(): Promise<void> {
    const opened = await connect({
      servers: servers.map(({ host }) => host),
      ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
      noEcho: true,
      maxReconnectAttempts: -1,
      // The password may be changed on one server after the other.
      ignoreAuthErrorAbort: true,
      waitOnFirstConnect: true,
      reconnectTimeWait: RECONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
      timeout: CONNECT_TIMEOUT_MS,
    });
    if (isClosed) return opened.close();
    connection = opened;
    isConnected = true;
    for (const id of subscriptions.keys()) attach(id);
    for (const handler of reconnectHandlers) handler();
    void watch(opened);
  }

  async function watch(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status())
      if (type === 'disconnect' || type === 'staleConnection') {
        // Each refused attempt to connect again comes here, too, and has a `reconnect` of its own in the end.
        if (isConnected) log('NATS disconnected');
        isConnected = false;
      } else if (type === 'reconnect' && !isConnected) {
        isConnected = true;
        log('NATS reconnected');
        for (const handler of reconnectHandlers) handler();
      }
  }

  const opening = open().catch((error: unknown) => log(`NATS failed: ${String(error)}`));
  // Waits a moment for a server at the start, and continues without it.
  await Promise.race([
    opening,
    new Promise((resolve) => setTimeout(resolve, CONNECT_TIMEOUT_MS).unref()),
  ]);
  return {
    isShared: true,
    isConnected: () => isConnected,
    publish(subject, message) {
      // Unsent messages would be outdated when the connection returns; the nodes compare with MongoDB then.
      if (connection && isConnected) connection.publish(subject, JSON.stringify(message));
    },
    subscribe(subject, handler) {
      const id = nextId++;
      subscriptions.set(id, { subject, handler, end() {} });
      attach(id);
      return () => {
        subscriptions.get(id)?.end();
        subscriptions.delete(id);
      };
    },
    async flush() {
      if (!connection || !isConnected) return;
      await Promise.race([connection.flush().catch(() => {}), wait(FLUSH_MAX_MS)]);
    },
    onReconnect(handler) {
      reconnectHandlers.add(handler);
      return () => reconnectHandlers.delete(handler);
    },
    async membersDown() {
      const answers = await Promise.allSettled(
        servers.map(({ hostname, port }) =>
          askNats(Number(port || 4222), AbortSignal.timeout(CONNECT_TIMEOUT_MS), hostname),
        ),
      );
      return answers.filter(({ status }) => status === 'rejected').length;
    },
    drain: () => wait(DRAIN_MS),
    async close() {
      isClosed = true;
      isConnected = false;
      await connection?.close();
    },
  };
}

function bind(
  connection: NatsConnection,
  subject: string,
  handler: BusHandler,
  log: (message: string) => void,
): { unsubscribe(): void } {
  const subscription = connection.subscribe(subject, {
    callback(error, message) {
      if (error) return;
      try {
        handler(message.json());
      } catch (thrown) {
        log(`A message on ${subject} failed: ${String(thrown)}`);
      }
    },
  });
  return { unsubscribe: () => subscription.unsubscribe() };
}
