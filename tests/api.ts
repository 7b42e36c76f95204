import { MongoClient, type Db } from 'mongodb';
import { createCode } from '#shared/access-gate/admin-contract.ts';
import type { Bus } from '#shared/bus/bus.ts';
import { OWN_KINDS } from '#shared/document-kinds.ts';
import { newId } from '#shared/ids.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { changeDocument, readDocument } from '#shared/sync/contract.ts';
import { startApi } from '../api/app/server.ts';
import { accessCodeUses } from '../api/features/access-gate/collections.ts';
import { accessEnd } from '../api/features/access-gate/uses.ts';
import { readEnv } from '../api/platform/env.ts';
import type { Limiters } from '../api/platform/http/rate-limit.ts';
import { users } from '../api/platform/session/collections.ts';
import { ISSUER } from '../api/platform/session/sandbox-codes.ts';
import { personOf } from '../api/platform/session/sandbox-people.ts';
import { openSession, presentUser, userOf } from '../api/platform/session/users.ts';
import { createSyncServerClient } from '../api/platform/sync-server-client.ts';
import { ensureDocuments } from '../api/platform/user-documents.ts';
import { caller, type CallSettings } from '../client/platform/http/api-client.ts';
import {
  ADMIN_EMAIL,
  signIn as signInAt,
  signInCode,
  type Visitor,
} from '../scripts/session/api-session.ts';
import { CookieJar } from '../scripts/session/cookie-jar.ts';
import { freePort } from '../scripts/stack/ports.ts';
import { readEnv as readSyncEnv } from '../sync-server/env.ts';
import { startSyncServer, type SyncServer } from '../sync-server/server.ts';
import { giveBackDatabase, indexDatabase, takeDatabase } from './databases.ts';

export const SECRET = 'a secret of the tests';

export type Call = ReturnType<typeof caller>;

/** A signed-in user whose calls carry the cookies of their browser. */
export type TestPerson = Visitor;

export interface TestApi {
  origin: string;
  /** The same database as the servers'. */
  db: Db;
  syncPort: number;
  /** The ports of all sync nodes; the first is `syncPort`. */
  syncPorts: readonly number[];
  /** The environment that the API was started with. */
  env: Record<string, string>;
  /** Calls as a visitor without cookies. */
  call: Call;
  /** Returns a new browser without a session. */
  visitor(): { call: Call; jar: CookieJar };
  /**
   * Signs in. The first time, without HTTP, which would take a third of the tests' time; after that or with a jar, through
   * the real flow with the sandbox identity provider.
   * @param options.access whether the user has access; default true
   */
  as(email: string, options?: { access?: boolean; jar?: CookieJar }): Promise<TestPerson>;
  /** Signs in as the admin, without HTTP. */
  asAdmin(): Promise<TestPerson>;
  /** Returns the sync server's value of a document, by its `automerge:` URL. */
  document(url: string): Promise<unknown>;
  /** Changes a document on the sync server without the API, like a device does. */
  change(url: string, name: string, input: unknown): Promise<void>;
  /** @param node by default, the first one */
  stopSync(node?: number): Promise<void>;
  startSync(node?: number): Promise<void>;
  /** Until `startApi` or `restartApi`. */
  stopApi(): Promise<void>;
  startApi(): Promise<void>;
  /** The limits that the API has declared, by name. */
  limits(): Limiters['declared'];
  /** Runs a test with another RATE_LIMIT_SCALE, and counts from zero. */
  withLimits(scale: number, run: () => Promise<void>): Promise<void>;
  /** Runs all background jobs, as after a start. */
  runJobs(): Promise<void>;
  /** Has the servers read the rows of a user again, which a test changed. */
  reread(person: TestPerson): Promise<void>;
  /**
   * Restarts the API at the same address: for what a restart does, or other settings. `withLimits`, `runJobs` and `reread` take far
   * less time.
   */
  restartApi(overrides?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

interface SyncNode {
  port: number;
  /** Of the internal API. */
  url: string;
  start(): Promise<SyncServer>;
  /** Null while it is stopped. */
  server: SyncServer | null;
}

/** Returns the environment of the API in tests, with its own database. */
const testEnv = (mongodbUri: string, overrides: Record<string, string> = {}) => ({
  MONGODB_URI: mongodbUri,
  MONGODB_DB: takeDatabase(),
  PUBLIC_ORIGIN: 'http://localhost:3000',
  SYNC_SECRET: SECRET,
  SYNC_INTERNAL_URL: 'http://127.0.0.1:9',
  NODE_ENV: 'test',
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  RATE_LIMIT_SCALE: '1000',
  BLOCK_DELAY_SCALE: '0',
  ...overrides,
});

/**
 * Starts the real api with the real sync server and the run's MongoDB.
 * @param syncBuses opens the bus of each sync node; by default, there is one node without a bus
 */
export async function startTestApi(
  mongodbUri: string,
  overrides: Record<string, string> = {},
  syncBuses: readonly (() => Promise<Bus | undefined>)[] = [async () => undefined],
): Promise<TestApi> {
  const env: Record<string, string> = testEnv(mongodbUri, overrides);
  const client = await MongoClient.connect(mongodbUri);
  const apiPort = await freePort();
  const syncNodes = await Promise.all(
    syncBuses.map(async (openBus): Promise<SyncNode> => {
      const [port, internalPort] = [await freePort(), await freePort()];
      const ports = {
        SYNC_PORT: String(port),
        SYNC_INTERNAL_PORT: String(internalPort),
        // Of the API.
        METRICS_PORT: '',
      };
      const start = async () =>
        startSyncServer(readSyncEnv({ ...env, ...ports }), { bus: await openBus() });
      return { port, url: `http://127.0.0.1:${internalPort}`, start, server: await start() };
    }),
  );
  env['API_PORT'] = String(apiPort);
  env['SYNC_INTERNAL_URL'] = syncNodes.map(({ url }) => url).join(',');
  const internal = caller({
    origin: syncNodes[0]!.url,
    headers: { authorization: `Bearer ${SECRET}` },
  });
  // The indexes of a database that the caller named may be what they test.
  const prepare = overrides['MONGODB_DB'] ? undefined : indexDatabase;
  const start = (changes: Record<string, string> = {}) =>
    startApi(readEnv({ ...env, ...changes }), prepare);
  let api = await start();
  const origin = `http://127.0.0.1:${apiPort}`;

  const callWith = (settings: CallSettings = {}) => caller({ origin, ...settings });
  function visitor() {
    const jar = new CookieJar();
    return { jar, call: callWith({ fetch: jar.fetch }) };
  }

  const signIn = (email: string, jar?: CookieJar) => signInAt(origin, email, jar);

  const db = client.db(env['MONGODB_DB']);
  const emails = new Set<string>();
  const documents = createSyncServerClient(env['SYNC_INTERNAL_URL'], SECRET);

  /** Signs in by the functions that the API uses. */
  async function signInDirectly(email: string): Promise<TestPerson> {
    const identity = { issuer: ISSUER, subject: email, email_verified: true, picture: null };
    const { user } = await userOf(db, { ...identity, ...personOf(email) }, readEnv(env));
    const { jar, call } = visitor();
    jar.cookies.set(
      cookieName(env['PUBLIC_ORIGIN']!, SESSION_COOKIE),
      await openSession(db, user, 'Test'),
    );
    return { user: presentUser(user), call, jar };
  }

  /** Creates the documents of a user whom this test signed up, if one of them has this URL. */
  async function createDocumentsOf(url: string): Promise<void> {
    const id = url.replace('automerge:', '');
    const ids = OWN_KINDS.map((kind) => ({ [`documents.${kind}`]: id }));
    const user = await users(db).findOne({ $or: ids, documents_ready: { $ne: true } });
    if (user) await ensureDocuments({ db, documents }, user);
  }

  let gateCodeId: Promise<string> | undefined;
  async function createGateCode(): Promise<string> {
    const admin = await signInDirectly(ADMIN_EMAIL);
    const body = { code: `TEST${newId()}`.slice(0, 20).toUpperCase() };
    return (await admin.call(createCode, { body })).accessCode.id;
  }

  /** Stores the use of an access code by a user whose session no server has cached. @returns the end of their access */
  async function giveAccess(user_id: string): Promise<Date> {
    gateCodeId ??= createGateCode();
    const access_code_id = await gateCodeId;
    const used_at = new Date();
    const use = { access_code_id, user_id, ip_address: '127.0.0.1', used_at };
    await accessCodeUses(db).insertOne({ _id: newId(), ...use });
    const access_expires_at = accessEnd(used_at);
    await users(db).updateOne({ _id: user_id }, { $set: { access_expires_at } });
    return access_expires_at;
  }

  return {
    origin,
    db,
    syncPort: syncNodes[0]!.port,
    syncPorts: syncNodes.map(({ port }) => port),
    env,
    call: callWith(),
    visitor,
    async as(address, { access = true, jar } = {}) {
      const email = address.toLowerCase();
      const person =
        jar || emails.has(email) ? await signIn(email, jar) : await signInDirectly(email);
      emails.add(email);
      if (!access || person.user.has_access) return person;
      const access_expires_at = (await giveAccess(person.user.id)).toISOString();
      return { ...person, user: { ...person.user, access_expires_at, has_access: true } };
    },
    asAdmin: () => signInDirectly(ADMIN_EMAIL),
    async document(url) {
      await createDocumentsOf(url);
      const documentId = url.replace('automerge:', '');
      return (await internal(readDocument, { params: { documentId } })).value;
    },
    async change(url, name, input) {
      await createDocumentsOf(url);
      const documentId = url.replace('automerge:', '');
      await internal(changeDocument, { params: { documentId }, body: { name, input } });
    },
    async stopSync(node = 0) {
      const stopped = syncNodes[node]!;
      await stopped.server?.close();
      stopped.server = null;
    },
    async startSync(node = 0) {
      const started = syncNodes[node]!;
      started.server ??= await started.start();
    },
    stopApi: () => api.close(),
    async startApi() {
      api = await start();
    },
    async withLimits(scale, run) {
      const { limiter } = api.services;
      await db.collection('rate_limits').deleteMany({});
      limiter.setScale(scale);
      try {
        await run();
      } finally {
        limiter.setScale(Number(env['RATE_LIMIT_SCALE']));
      }
    },
    runJobs: () => api.services.runAllJobs(),
    limits: () => api.services.limiter.declared,
    reread: ({ user }) => api.services.signals.send('user', user.id),
    async restartApi(changes) {
      await api.close();
      api = await start(changes);
    },
    async close() {
      await api.close();
      for (const { server } of syncNodes) await server?.close();
      // A caller that named a database cleans it up.
      if (!overrides['MONGODB_DB']) await giveBackDatabase(client, env['MONGODB_DB']!);
      await client.close();
    },
  };
}

/** Returns the sign-in code that the mock Google sends the user back with. */
export const codeFor = (origin: string, call: Call, email: string) =>
  signInCode(origin, call, email, new CookieJar().locationOf);
