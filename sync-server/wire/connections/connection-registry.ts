import type { Logger } from 'pino';
import { closeCodes } from '#shared/sync/close-codes.ts';
import type { DocumentPermissions, Permission } from '../../core/access/document-permissions.ts';
import { resolveSessions } from '../../core/access/sessions.ts';
import type { Database } from '../../core/database.ts';
import {
  COST_OF_SOCKET,
  COST_PER_MS,
  PING_MS,
  SOCKETS_PER_USER,
  CHECK_MS,
} from '../../core/limits.ts';
import type { Connection } from './connection.ts';
import { TokenBucket } from './token-bucket.ts';

interface User {
  bucket: TokenBucket;
  connections: Set<Connection>;
}

/** Users whose permissions are checked at the same time. */
const CHECKED_AT_ONCE = 8;
const STOPPING = [closeCodes.goingAway, 'server stops'] as const;

/** All open connections by user, with the rate limits of the users. */
export class ConnectionRegistry {
  readonly #database: Pick<Database, 'sessions' | 'users'>;
  readonly #logger: Logger;
  readonly #scale: number;
  readonly #users = new Map<string, User>();
  readonly #checking: NodeJS.Timeout;
  /** Counts when sessions were checked or ended. */
  #checks = 0;
  #isClosed = false;

  /** @param scale multiplies the rate limits */
  constructor(database: Pick<Database, 'sessions' | 'users'>, scale: number, logger: Logger) {
    this.#database = database;
    this.#scale = scale;
    this.#logger = logger;
    this.#checking = setInterval(() => void this.#log(this.#checkDue()), CHECK_MS);
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

  /**
   * Returns a function that tells whether any session was checked or ended since. Call it before looking up a session: its connection
   * misses checks until it is added.
   */
  watchSessions(): () => boolean {
    const checks = this.#checks;
    return () => this.#checks > checks;
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
    this.#checks++;
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

  /** Closes the connections to which a document was not opened because it was in quarantine: they open it again. */
  offerAgain(documentId: string): void {
    for (const connection of this.#all())
      if (connection.isWaitingFor(documentId))
        connection.close(closeCodes.tryAgainLater, 'start over');
  }

  closeSession(sessionId: string): void {
    this.#checks++;
    for (const connection of this.#all())
      if (connection.session.sessionId === sessionId)
        connection.close(closeCodes.rightsChanged, 'session ended');
  }

  /** Like `checkSessions`, but only logs failures. */
  async recheck(userId?: string): Promise<void> {
    await this.#log(this.checkSessions(userId));
  }

  /**
   * Checks the sessions of one user, or of all, and closes the connections of those that ended.
   * @throws when the database cannot be read
   */
  async checkSessions(userId?: string): Promise<void> {
    this.#checks++;
    await this.#checkSessionsOf(
      userId ? [...(this.#users.get(userId)?.connections ?? [])] : this.#all(),
    );
  }

  /** Checks the sessions that were last known to end by now: they may have been extended. Signals report other changes. */
  async #checkDue(): Promise<void> {
    const now = new Date();
    await this.#checkSessionsOf(this.#all().filter(({ session }) => session.lastsUntil <= now));
  }

  async #log(check: Promise<void>): Promise<void> {
    await check.catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'failed to check sessions'),
    );
  }

  async #checkSessionsOf(connections: Connection[]): Promise<void> {
    if (connections.length === 0) return;
    const ids = [...new Set(connections.map(({ session }) => session.sessionId))];
    const sessions = await resolveSessions(this.#database, ids);
    for (const connection of connections) {
      const session = sessions.get(connection.session.sessionId) ?? 'signed_out';
      if (typeof session === 'string') connection.close(closeCodes.rightsChanged, session);
      else connection.session.lastsUntil = session.lastsUntil;
    }
  }

  /**
   * Checks the permissions of users to a document, and closes their connections that have others.
   * @throws when the database cannot be read
   */
  async checkPermission(
    permissions: DocumentPermissions,
    documentId: string,
    userIds: Iterable<string>,
  ): Promise<void> {
    for (const userId of userIds) {
      const relying = [...(this.#users.get(userId)?.connections ?? [])].filter((connection) =>
        connection.reliesOnPermission(documentId),
      );
      if (relying.length === 0) continue;
      const permission = await permissions.of(userId, documentId);
      const current = new Map(permission && [[documentId, permission]]);
      await closeOthers(relying, current, [documentId]);
    }
  }

  /**
   * Checks all permissions of all users, and closes connections that have others.
   * @throws when the database cannot be read
   */
  async checkPermissions(permissions: DocumentPermissions): Promise<void> {
    const users = [...this.#users];
    for (let at = 0; at < users.length; at += CHECKED_AT_ONCE)
      await Promise.all(
        users.slice(at, at + CHECKED_AT_ONCE).map(async ([userId, { connections }]) => {
          if (connections.size === 0) return;
          const snapshot = await permissions.snapshotOf(userId);
          await closeOthers([...connections], snapshot.permissions);
        }),
      );
  }

  /** Closes all connections: clients start over. */
  closeAll(reason: string): void {
    for (const connection of this.#all()) connection.close(closeCodes.tryAgainLater, reason);
  }

  /** Closes all connections, including those that are being opened. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#checking);
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

/** Closes connections that do not have the current permissions. */
async function closeOthers(
  connections: readonly Connection[],
  permissions: ReadonlyMap<string, Permission>,
  ids?: readonly string[],
): Promise<void> {
  for (const connection of connections)
    if (!(await connection.hasPermissions(permissions, ids)))
      connection.close(closeCodes.rightsChanged, 'rights changed');
}
