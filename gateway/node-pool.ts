import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type AgentOptions } from 'node:http';
import { connect, type Socket } from 'node:net';

const CONNECT_MAX_MS = 2_000;
/** On a busy machine, answers come in batches: fewer would close connections that the next requests need. */
const FREE_SOCKETS_MAX = 512;
const CHECK_MS = 1_000;
const CHECK_TIMEOUT_MS = 2_000;
/** The connections of a node that answers no health check for this long are closed: its clients connect to another one. */
const SILENCE_MAX_MS = 5_000;

/** One node of a role on this machine. */
interface Node {
  port: number;
  /** Keeps connections for the next request. */
  agent: ConnectedAgent;
  /** By the last health check; requests go to others while it is not. */
  isHealthy: boolean;
  answeredAt: number;
  sockets: Set<Socket>;
}

/** A connection to a node that takes a request now. */
export interface Connected {
  port: number;
  agent: Agent;
}

export interface NodePoolSettings {
  ports: number[];
  /** The path of the health check. It answers 200, or 503 while the node cannot take requests or is about to close. */
  healthPath: string;
  /** How long an idle connection stays open. */
  idleMs: number;
}

/**
 * The nodes of one role. Requests with the same key go to the same node (rendezvous hashing) as long as it is healthy. That only makes
 * the common case local: every node can answer every request. Decision 275.
 */
export class NodePool {
  readonly #nodes: Node[];
  readonly #healthPath: string;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor({ ports, healthPath, idleMs }: NodePoolSettings) {
    this.#healthPath = healthPath;
    this.#nodes = ports.map((port) => {
      const sockets = new Set<Socket>();
      const agent = new ConnectedAgent(port, sockets, {
        keepAlive: true,
        maxFreeSockets: FREE_SOCKETS_MAX,
        timeout: idleMs,
      });
      return { port, agent, sockets, isHealthy: true, answeredAt: performance.now() };
    });
    // The only node gets all requests, whatever it says.
    if (ports.length > 1)
      this.#timer = setInterval(() => {
        for (const node of this.#nodes) void this.#check(node);
      }, CHECK_MS).unref();
  }

  /**
   * Connects to the first node for a key that accepts a connection; unhealthy nodes come last. Nothing has been sent then.
   * @param isUpgrade whether the connection is for one request only
   * @throws when all nodes refuse
   */
  async connect(key: () => string, isUpgrade = false): Promise<Connected> {
    let refusal: unknown;
    for (const { port, agent, sockets } of this.#order(key))
      try {
        const used = isUpgrade ? new ConnectedAgent(port, sockets, { keepAlive: false }) : agent;
        await used.prepare();
        return { port, agent: used };
      } catch (error) {
        refusal = error;
      }
    throw refusal;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { agent } of this.#nodes) agent.destroy();
  }

  #order(keyOf: () => string): Node[] {
    if (this.#nodes.length === 1) return this.#nodes;
    const key = keyOf();
    return this.#nodes
      .map((node) => ({ node, weight: hash('sha1', `${node.port} ${key}`) }))
      .toSorted(
        (a, b) =>
          Number(b.node.isHealthy) - Number(a.node.isHealthy) || (a.weight < b.weight ? -1 : 1),
      )
      .map(({ node }) => node);
  }

  async #check(node: Node): Promise<void> {
    try {
      const answer = await fetch(`http://127.0.0.1:${node.port}${this.#healthPath}`, {
        signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      });
      await answer.body?.cancel();
      node.isHealthy = answer.ok;
      node.answeredAt = performance.now();
    } catch {
      node.isHealthy = false;
      if (performance.now() - node.answeredAt > SILENCE_MAX_MS)
        // Without an error, a connection that is still opening would never settle.
        for (const socket of node.sockets) socket.destroy(new Error('answers no health check'));
    }
  }
}

/** Settles when a connection is open. @throws when the node refuses it, or doesn't answer within `CONNECT_MAX_MS`; then it is destroyed */
async function opened(socket: Socket): Promise<void> {
  const timer = setTimeout(
    // After a busy moment timers come first, and an answer may have arrived in the meantime.
    () => setImmediate(() => socket.connecting && socket.destroy(new Error('timed out'))),
    CONNECT_MAX_MS,
  );
  try {
    await once(socket, 'connect');
  } finally {
    clearTimeout(timer);
  }
}

/** An agent whose connections can be opened before a request is made. */
class ConnectedAgent extends Agent {
  readonly #port: number;
  readonly #sockets: Set<Socket>;
  readonly #prepared: Socket[] = [];

  /** @param sockets its open connections are added here */
  constructor(port: number, sockets: Set<Socket>, options: AgentOptions) {
    super(options);
    this.#port = port;
    this.#sockets = sockets;
  }

  /** Opens a connection for the next request, unless one is idle. @throws when the node refuses it or doesn't answer */
  async prepare(): Promise<void> {
    if (Object.values(this.freeSockets).some((free) => free !== undefined && free.length > 0))
      return;
    const socket = this.#open();
    await opened(socket);
    this.#prepared.push(socket);
    socket.once('close', () => {
      const index = this.#prepared.indexOf(socket);
      if (index !== -1) this.#prepared.splice(index, 1);
    });
  }

  override createConnection(): Socket {
    return this.#prepared.pop() ?? this.#open();
  }

  override destroy(): void {
    for (const socket of this.#prepared) socket.destroy();
    super.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    this.#sockets.add(socket);
    // A request handles the errors of its connection; until there is one, nothing is lost.
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
