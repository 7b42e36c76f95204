import type { Logger } from 'pino';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { Budget } from './budget.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { COST_OF_SOCKET, COST_PER_MS, PING_MS, SOCKETS_PER_USER, SWEEP_MS } from './limits.ts';
import { standingsOf } from './sessions.ts';

/** What is known of a user. */
interface Entry {
  budget: Budget;
  connections: Set<Connection>;
}

const STOPPING = [closeCodes.goingAway, 'server stops'] as const;

/** Every open socket by its user, and what its user may still ask for. */
export class Sockets {
  readonly #database: Pick<Database, 'sessions' | 'users'>;
  readonly #logger: Logger;
  readonly #scale: number;
  readonly #byUser = new Map<string, Entry>();
  readonly #timers: NodeJS.Timeout[];
  #isOver = false;

  /** @param scale multiplies what users may ask for */
  constructor(database: Pick<Database, 'sessions' | 'users'>, scale: number, logger: Logger) {
    this.#database = database;
    this.#scale = scale;
    this.#logger = logger;
    this.#timers = [
      setInterval(() => this.#all().forEach((connection) => connection.ping()), PING_MS),
      setInterval(() => void this.recheck(), SWEEP_MS),
    ];
  }

  get size(): number {
    return this.#all().length;
  }

  /** Whether a user may open one more: has neither too many, nor asked for too much lately. */
  hasRoom(userId: string): boolean {
    const entry = this.#byUser.get(userId);
    if (!entry) return true;
    return entry.connections.size < SOCKETS_PER_USER * this.#scale && !entry.budget.isSpent;
  }

  /** Adds a socket: made with the user's budget, gone when `left` is called. */
  add(userId: string, connect: (budget: Budget, left: () => void) => Connection): Connection {
    const entry = this.#entryOf(userId);
    entry.budget.spend(COST_OF_SOCKET);
    const connection = connect(entry.budget, () => {
      entry.connections.delete(connection);
      this.#forgetSoon(userId, entry);
    });
    entry.connections.add(connection);
    // Its session was being looked up while all others were closed.
    if (this.#isOver) connection.close(...STOPPING);
    return connection;
  }

  /** Has a user pay for milliseconds of work, with or without a socket. */
  spend(userId: string, ms: number): void {
    const entry = this.#entryOf(userId);
    entry.budget.spend(ms * COST_PER_MS);
  }

  /** Whether work for a user has to wait. */
  hasSpentAll(userId: string): boolean {
    return this.#byUser.get(userId)?.budget.isSpent ?? false;
  }

  closeUser(userId: string): void {
    for (const connection of this.#byUser.get(userId)?.connections ?? [])
      connection.close(closeCodes.rightsChanged, 'user disconnected');
  }

  /**
   * Closes those sockets of users whose right to a document changed that act on the right they had, so that they start
   * over with the one they have now. Whoever has not asked for the document yet goes on, and will be answered by it.
   */
  rightChanged(documentId: string, userIds: Iterable<string>): void {
    for (const userId of userIds)
      for (const connection of this.#byUser.get(userId)?.connections ?? [])
        if (connection.reliesOnRightTo(documentId))
          connection.close(closeCodes.rightsChanged, 'rights changed');
  }

  closeSession(sessionId: string): void {
    for (const connection of this.#all())
      if (connection.standing.sessionId === sessionId)
        connection.close(closeCodes.rightsChanged, 'session ended');
  }

  /** Looks up again what sessions are worth, of one user or of all, and closes the sockets of those that ended. */
  async recheck(userId?: string): Promise<void> {
    const connections = userId ? [...(this.#byUser.get(userId)?.connections ?? [])] : this.#all();
    if (connections.length === 0) return;
    try {
      const ids = [...new Set(connections.map((connection) => connection.standing.sessionId))];
      const standings = await standingsOf(this.#database, ids);
      for (const connection of connections) {
        const standing = standings.get(connection.standing.sessionId) ?? 'signed_out';
        if (typeof standing === 'string') connection.close(closeCodes.rightsChanged, standing);
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'sessions could not be checked');
    }
  }

  /** Closes everything, for good, also whoever still comes. */
  close(): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const connection of this.#all()) connection.close(...STOPPING);
  }

  #entryOf(userId: string): Entry {
    const known = this.#byUser.get(userId);
    if (known) return known;
    const entry: Entry = { budget: new Budget(this.#scale), connections: new Set() };
    this.#byUser.set(userId, entry);
    this.#forgetSoon(userId, entry);
    return entry;
  }

  /** A budget that is not full stays for who comes back at once. */
  #forgetSoon(userId: string, entry: Entry): void {
    setTimeout(() => {
      if (entry.connections.size > 0 || this.#byUser.get(userId) !== entry) return;
      if (entry.budget.isFull) this.#byUser.delete(userId);
      else this.#forgetSoon(userId, entry);
    }, PING_MS).unref();
  }

  #all(): Connection[] {
    return [...this.#byUser.values()].flatMap(({ connections }) => [...connections]);
  }
}
