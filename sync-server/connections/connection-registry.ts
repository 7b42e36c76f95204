import type { Logger } from 'pino';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { resolveSessions } from '../access/sessions.ts';
import type { Database } from '../database.ts';
import { COST_OF_SOCKET, COST_PER_MS, PING_MS, SOCKETS_PER_USER, SWEEP_MS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { TokenBucket } from './token-bucket.ts';

interface User {
  bucket: TokenBucket;
  connections: Set<Connection>;
}

const STOPPING = [closeCodes.goingAway, 'server stops'] as const;

/** All open connections by user, with the rate limits of the users. */
export class ConnectionRegistry {
  readonly #database: Pick<Database, 'sessions' | 'users'>;
  readonly #logger: Logger;
  readonly #scale: number;
  readonly #users = new Map<string, User>();
  readonly #timers: NodeJS.Timeout[];
  #isClosed = false;

  /** @param scale multiplies the rate limits */
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

  /** Whether a user may open another connection: has neither too many nor exceeded the rate limit. */
  hasRoom(userId: string): boolean {
    const user = this.#users.get(userId);
    if (!user) return true;
    return user.connections.size < SOCKETS_PER_USER * this.#scale && !user.bucket.isEmpty;
  }

  /** Adds the connection that `connect` creates. It is removed when `onClose` is called. */
  add(userId: string, connect: (bucket: TokenBucket, onClose: () => void) => Connection): void {
    const user = this.#userOf(userId);
    user.bucket.spend(COST_OF_SOCKET);
    const connection = connect(user.bucket, () => {
      user.connections.delete(connection);
      this.#forgetSoon(userId, user);
    });
    user.connections.add(connection);
    // The registry was closed while the session was being looked up.
    if (this.#isClosed) connection.close(...STOPPING);
  }

  /** Charges milliseconds of work to a user, whether connected or not. */
  chargeTime(userId: string, ms: number): void {
    this.#userOf(userId).bucket.spend(ms * COST_PER_MS);
  }

  /** Whether a user has exceeded the rate limit. */
  isOverLimit(userId: string): boolean {
    return this.#users.get(userId)?.bucket.isEmpty ?? false;
  }

  closeUser(userId: string): void {
    for (const connection of this.#users.get(userId)?.connections ?? [])
      connection.close(closeCodes.rightsChanged, 'user disconnected');
  }

  /**
   * Closes connections of users whose permission to a document changed, if they rely on the old one. They reconnect and
   * get the new one. Clients that have not asked for the document yet stay connected.
   */
  permissionChanged(documentId: string, userIds: Iterable<string>): void {
    for (const userId of userIds)
      for (const connection of this.#users.get(userId)?.connections ?? [])
        if (connection.reliesOnPermission(documentId))
          connection.close(closeCodes.rightsChanged, 'rights changed');
  }

  closeSession(sessionId: string): void {
    for (const connection of this.#all())
      if (connection.session.sessionId === sessionId)
        connection.close(closeCodes.rightsChanged, 'session ended');
  }

  /** Checks the sessions of one user, or of all, and closes the connections of those that ended. */
  async recheck(userId?: string): Promise<void> {
    const connections = userId ? [...(this.#users.get(userId)?.connections ?? [])] : this.#all();
    if (connections.length === 0) return;
    try {
      const ids = [...new Set(connections.map(({ session }) => session.sessionId))];
      const sessions = await resolveSessions(this.#database, ids);
      for (const connection of connections) {
        const session = sessions.get(connection.session.sessionId) ?? 'signed_out';
        if (typeof session === 'string') connection.close(closeCodes.rightsChanged, session);
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'failed to check sessions');
    }
  }

  /** Closes all connections, including those that are being opened. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const connection of this.#all()) connection.close(...STOPPING);
  }

  #userOf(userId: string): User {
    const known = this.#users.get(userId);
    if (known) return known;
    const user: User = { bucket: new TokenBucket(this.#scale), connections: new Set() };
    this.#users.set(userId, user);
    this.#forgetSoon(userId, user);
    return user;
  }

  /** Keeps a bucket until it is full, so that reconnecting does not refill it. */
  #forgetSoon(userId: string, user: User): void {
    setTimeout(() => {
      if (user.connections.size > 0 || this.#users.get(userId) !== user) return;
      if (user.bucket.isFull) this.#users.delete(userId);
      else this.#forgetSoon(userId, user);
    }, PING_MS).unref();
  }

  #all(): Connection[] {
    return [...this.#users.values()].flatMap(({ connections }) => [...connections]);
  }
}
