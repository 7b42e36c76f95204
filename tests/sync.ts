import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import {
  Repo,
  generateAutomergeUrl,
  parseAutomergeUrl,
  type StorageAdapterInterface,
} from '@automerge/automerge-repo';
import { WebSocketClientAdapter } from '@automerge/automerge-repo-network-websocket';
import { MongoClient, type Db } from 'mongodb';
import { WebSocket } from 'ws';
import type { Bus } from '#shared/bus/bus.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import * as contract from '#shared/sync/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { caller } from '../client/platform/http/api-client.ts';
import { buildIfStale } from '../scripts/build/build-if-stale.ts';
import { builtServer } from '../scripts/build/server-build.ts';
import { freePort } from '../scripts/stack/ports.ts';
import { readEnv } from '../sync-server/env.ts';
import { startSyncServer } from '../sync-server/server.ts';

const ORIGIN = 'http://localhost:3000';
const SECRET = 'a secret of the tests';
/** The stock adapter opens another socket if the last one is not open after this time. */
const RECONNECT_MS = 1000;

export interface TestUser {
  id: string;
  sessionId: string;
  cookie: string;
}

/** A stock Repo, whose network can be cut. */
export interface Device {
  repo: Repo;
  cut(): void;
  restore(): void;
  close(): void;
}

export interface TestSync {
  db: Db;
  port: number;
  /** Calls the internal port. */
  call: ReturnType<typeof caller>;
  internalOrigin: string;
  /** Null when the server runs within the tests' own process. */
  child: ChildProcess | null;
  /** Makes a user with access and a session. */
  user(overrides?: Partial<UserRow>, session?: Partial<SessionRow>): Promise<TestUser>;
  /** Creates a document, like the API does at sign-up. */
  document(owner: TestUser, kind?: DocumentKind): Promise<string>;
  /** A raw socket with a user's cookie. */
  socket(user: TestUser | null, headers?: Record<string, string>): WebSocket;
  /** Opens a device of a user, which is closed with the server. */
  device(
    user: TestUser,
    storage?: StorageAdapterInterface,
    version?: StockVersion,
  ): Promise<Device>;
  /** Restarts the server on the same ports. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

export const automergeUrl = (documentId: string) =>
  `automerge:${documentId}` as ReturnType<typeof generateAutomergeUrl>;

/**
 * Starts a sync server with its own database.
 * @param settings.child runs it in its own process, which can be killed and measured
 */
export async function startTestSync(
  mongodbUri: string,
  settings: {
    child?: boolean;
    env?: Record<string, string>;
    /** The database of another node, which drops it. */
    database?: string;
    /** The bus to other nodes, for a server in the tests' own process. */
    openBus?: () => Promise<Bus>;
  } = {},
): Promise<TestSync> {
  const database = settings.database ?? `sync-${randomUUID()}`;
  const client = await MongoClient.connect(mongodbUri);
  const db = client.db(database);
  const env: Record<string, string> = {
    MONGODB_URI: mongodbUri,
    MONGODB_DB: database,
    PUBLIC_ORIGIN: ORIGIN,
    SYNC_SECRET: SECRET,
    SYNC_SECRET_PREVIOUS: 'the secret before of the tests',
    SYNC_PORT: String(await freePort()),
    SYNC_INTERNAL_PORT: String(await freePort()),
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...settings.env,
  };
  const devices: Device[] = [];
  const startServer = () => start(env, settings.child ?? false, settings.openBus);
  let running = await startServer();
  const internalOrigin = `http://127.0.0.1:${running.internalPort}`;
  const call = caller({ origin: internalOrigin, headers: { authorization: `Bearer ${SECRET}` } });
  const socketOf = (user: TestUser | null, headers: Record<string, string> = {}) =>
    new WebSocket(`ws://127.0.0.1:${running.port}/sync`, {
      perMessageDeflate: false,
      headers: { ...(user && { cookie: user.cookie }), origin: ORIGIN, ...headers },
    });

  return {
    db,
    port: running.port,
    call,
    internalOrigin,
    get child() {
      return running.child;
    },
    user: (overrides, session) => insertUser(db, overrides, session),
    async document(owner, kind = 'account') {
      const { documentId } = parseAutomergeUrl(generateAutomergeUrl());
      await call(contract.createDocument, {
        body: {
          document_id: documentId,
          kind,
          owner_user_id: owner.id,
          created_at: new Date().toISOString(),
        },
      });
      return documentId;
    },
    socket: socketOf,
    async device(user, storage, version) {
      const headers = { cookie: user.cookie, origin: ORIGIN };
      const device = await openDevice(() => running.port, headers, storage, version);
      devices.push(device);
      return device;
    },
    async restart(signal = 'SIGTERM') {
      await running.stop(signal);
      running = await startServer();
    },
    async close() {
      for (const device of devices) device.close();
      await running.stop('SIGTERM');
      if (!settings.database) await db.dropDatabase();
      await client.close();
    },
  };
}

/** Creates a thread segment of the owner. @returns its id */
export async function newSegment(
  { call }: TestSync,
  owner: TestUser,
  readers: TestUser[] = [],
): Promise<string> {
  const { documentId } = parseAutomergeUrl(generateAutomergeUrl());
  await call(contract.createDocument, {
    body: {
      document_id: documentId,
      kind: 'segment',
      owner_user_id: owner.id,
      created_at: new Date().toISOString(),
      place: { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 },
    },
  });
  const body = { reader_user_ids: readers.map(({ id }) => id) };
  await call(contract.setReaders, { params: { documentId }, body });
  return documentId;
}

/** Inserts a user with access and a session, as after signing in. */
export async function insertUser(
  db: Db,
  overrides: Partial<UserRow> = {},
  session: Partial<SessionRow> = {},
): Promise<TestUser> {
  const id = randomUUID();
  const now = new Date();
  const later = new Date(now.getTime() + DAY_MS);
  await db.collection<UserRow>('users').insertOne({
    _id: id,
    identity: `test:${id}`,
    email: `${id}@example.com`,
    email_verified: true,
    given_name: 'Test',
    name: 'Test',
    picture: null,
    is_admin: false,
    access_expires_at: later,
    documents: { card: '', account: '', contacts: '' },
    documents_ready: false,
    created_at: now,
    ...overrides,
  });
  const token = await insertSession(db, id, session);
  return {
    id,
    sessionId: tokenHash(token),
    cookie: cookieOf(token),
  };
}

const cookieOf = (token: string) => `${cookieName(ORIGIN, SESSION_COOKIE)}=${token}`;

/** Adds a session of a user, as after signing in again. @returns its cookie */
export const addSession = async (db: Db, userId: string): Promise<string> =>
  cookieOf(await insertSession(db, userId));

/** @returns its token */
async function insertSession(
  db: Db,
  user_id: string,
  session: Partial<SessionRow> = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = new Date();
  await db.collection<SessionRow>('sessions').insertOne({
    _id: tokenHash(token),
    user_id,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(now.getTime() + DAY_MS),
    revoked_at: null,
    device: 'Test',
    ...session,
  });
  return token;
}

/**
 * Makes a stock adapter of any version ignore errors like in a browser (in Node they would end the process) and drop messages
 * that it can't send, like the client's adapter.
 */
const tolerant = (Stock: typeof WebSocketClientAdapter) =>
  class extends Stock {
    override onError = (): void => {};

    override send(...args: Parameters<WebSocketClientAdapter['send']>): void {
      if (this.socket?.readyState === WebSocket.OPEN) super.send(...args);
    }

    override connect(...args: Parameters<WebSocketClientAdapter['connect']>): void {
      super.connect(...args);
      this.socket?.addEventListener('error', () => {});
    }
  };

export class Adapter extends tolerant(WebSocketClientAdapter) {}

/** The classes of a version of automerge-repo. */
export interface StockVersion {
  Repo: typeof Repo;
  WebSocketClientAdapter: typeof WebSocketClientAdapter;
}

/** A device's connection to the server, which adds the headers of a browser and can be cut. */
export class Line {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer();
  #cut = false;

  constructor(target: () => number, headers: Record<string, string>) {
    this.#server.on('upgrade', (request: IncomingMessage, near: Socket) => {
      const far = connect(target(), '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket
          .on('error', () => {})
          .on('close', () => {
            this.#sockets.delete(socket);
            near.destroy();
            far.destroy();
          });
      }
      if (this.#cut) return near.destroy();
      const sent = Object.entries({ ...request.headers, ...headers });
      far.write(
        `GET /sync HTTP/1.1\r\n${sent.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
      near.pipe(far).pipe(near);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#cut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore(): void {
    this.#cut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

/**
 * Opens a device, and waits until it has connected.
 * @param port returns the port of the server or the gateway
 * @param headers those of a browser
 * @param version of automerge-repo
 */
export async function openDevice(
  port: () => number,
  headers: { cookie: string; origin: string },
  storage?: StorageAdapterInterface,
  version: StockVersion = { Repo, WebSocketClientAdapter },
): Promise<Device> {
  const line = new Line(port, headers);
  const adapter = new (tolerant(version.WebSocketClientAdapter))(await line.open(), RECONNECT_MS);
  const repo = new version.Repo({ network: [adapter], storage });
  // A Repo that is asked before it has connected reports documents as unavailable.
  await new Promise<void>((resolve) => repo.networkSubsystem.once('peer', () => resolve()));
  return {
    repo,
    cut: () => line.cut(),
    restore: () => line.restore(),
    close() {
      adapter.disconnect();
      line.close();
    },
  };
}

interface Running {
  port: number;
  internalPort: number;
  child: ChildProcess | null;
  stop(signal: NodeJS.Signals): Promise<void>;
}

async function start(
  env: Record<string, string>,
  asChild: boolean,
  openBus?: () => Promise<Bus>,
): Promise<Running> {
  if (!asChild) {
    const server = await startSyncServer(readEnv(env), { bus: await openBus?.() });
    return { ...server, child: null, stop: () => server.close() };
  }
  await buildIfStale(process.env, console.log, undefined, ['servers']);
  const { script, execArgv } = builtServer('sync-server');
  const child = fork(script, {
    execArgv,
    env: { ...process.env, ...env },
  });
  const ready = await new Promise<{ port: number; internalPort: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number; internalPort: number }));
    child.once('exit', (code) => reject(new Error(`the sync server ended with ${code}`)));
  });
  return {
    ...ready,
    child,
    stop: (signal) =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill(signal);
      }),
  };
}
