import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateAutomergeUrl, parseAutomergeUrl } from '@automerge/automerge-repo';
import { MongoClient } from 'mongodb';
import { tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { createDocument } from '#shared/sync/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { builtServer, SERVER_ENV } from '../../scripts/build/server-build.ts';
import { startMongodb } from '../../scripts/stack/mongodb.ts';
import type { LoadTask } from './load.ts';
import { residentBytes, startProcess, stopProcess } from './processes.ts';

/** A measured server, in a process of its own. */
export interface BenchServer {
  protocol: LoadTask['protocol'];
  url: string;
  pid: number;
  /** The database's process, where it has one. */
  databasePid: number | null;
  /** Whether devices create their documents themselves. */
  creates: boolean;
  /** Makes documents, each with an owner, unless one owner is to have them all. */
  documents(count: number, oneOwner?: boolean): Promise<LoadTask['documents']>;
  /** The memory of the process after garbage collection. */
  heldBytes(over: AbortSignal): Promise<number>;
  stop(): Promise<void>;
}

/** The origin that the processes are started with. */
const ORIGIN = 'http://localhost:3000';

const madeUpId = (): string => parseAutomergeUrl(generateAutomergeUrl()).documentId;

/**
 * The product's sync server, as it runs behind `npm start`, on a MongoDB of its own.
 * @param rateLimitScale one person's devices are usually not meant to be a thousand
 */
export async function startOurs(rateLimitScale = 1000): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-bench-'));
  const mongodb = await startMongodb({ dataDir, env: process.env });
  const database = `bench-sync-${randomUUID()}`;
  const secret = randomBytes(32).toString('hex');
  await buildIfStale(process.env, console.error, undefined, ['servers']);
  const { child, ready } = await startProcess(builtServer('sync-server'), {
    ...SERVER_ENV,
    MONGODB_URI: mongodb.uri,
    MONGODB_DB: database,
    PUBLIC_ORIGIN: ORIGIN,
    SYNC_SECRET: secret,
    SYNC_PORT: '0',
    SYNC_INTERNAL_PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_SCALE: String(rateLimitScale),
  });
  const call = caller({
    origin: `http://127.0.0.1:${ready.internalPort}`,
    headers: { authorization: `Bearer ${secret}` },
  });
  const client = await MongoClient.connect(mongodb.uri);
  const db = client.db(database);
  const people = async (count: number) => {
    const now = new Date();
    const later = new Date(now.getTime() + 86_400_000);
    const made = Array.from({ length: count }, () => ({
      id: randomUUID(),
      token: randomBytes(32).toString('base64url'),
    }));
    await db
      .collection<Pick<UserRow, '_id' | 'is_admin' | 'access_expires_at'>>('users')
      .insertMany(made.map(({ id }) => ({ _id: id, is_admin: false, access_expires_at: later })));
    await db.collection<SessionRow>('sessions').insertMany(
      made.map(({ id, token }) => ({
        _id: tokenHash(token),
        user_id: id,
        created_at: now,
        last_used_at: now,
        expires_at: later,
        revoked_at: null,
        device: 'Test',
      })),
    );
    return made;
  };
  return {
    protocol: 'automerge',
    url: `ws://127.0.0.1:${ready.port}/sync`,
    pid: child.pid!,
    databasePid: mongodb.child?.pid ?? null,
    creates: false,
    async documents(count, oneOwner = false) {
      const owners = await people(oneOwner ? 1 : count);
      const made: LoadTask['documents'] = [];
      for (let i = 0; i < count; i += 20)
        made.push(
          ...(await Promise.all(
            Array.from({ length: Math.min(20, count - i) }, async (_, j) => {
              const { id: owner, token } = owners[oneOwner ? 0 : i + j]!;
              const id = madeUpId();
              const created_at = new Date().toISOString();
              await call(createDocument, {
                body: { document_id: id, kind: 'account', owner_user_id: owner, created_at },
              });
              return { id, cookie: `${cookieName(ORIGIN, SESSION_COOKIE)}=${token}` };
            }),
          )),
        );
      return made;
    },
    heldBytes: (over) => residentBytes(child, over),
    async stop() {
      await stopProcess(child);
      if (mongodb.kind === 'configured') await db.dropDatabase();
      await client.close();
      await mongodb.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** automerge-repo's own server as it is shipped, with its files. */
export const startStock = (): Promise<BenchServer> => startRival('./stock-server.ts', 'automerge');

/** Hocuspocus as it is shipped, storing nothing. */
export const startHocuspocus = (): Promise<BenchServer> =>
  startRival('./hocuspocus-server.ts', 'yjs');

async function startRival(file: string, protocol: LoadTask['protocol']): Promise<BenchServer> {
  const { child, ready } = await startProcess(file);
  return {
    protocol,
    url: `ws://127.0.0.1:${ready.port}`,
    pid: child.pid!,
    databasePid: null,
    creates: true,
    documents: async (count) =>
      Array.from({ length: count }, () => ({ id: madeUpId(), cookie: 'none=none' })),
    heldBytes: (over) => residentBytes(child, over),
    stop: () => stopProcess(child),
  };
}
