import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { nameWords } from '#shared/invitations/rules.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import {
  type CardRow,
  tokenHash,
  type SessionRow,
  type UserRow,
} from '#shared/server/collections.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { DAY_MS } from '#shared/time.ts';
import type { PositionRow } from '../../api/features/proximity/collections.ts';
import { cellOf } from '../../api/features/proximity/nodes/followed-cells.ts';
import { ISSUER } from '../../api/platform/session/sandbox-codes.ts';
import { type Line, openLine } from '../http-load.ts';
import { randomFrom } from '../simulation.ts';
import { rssBytes, stopProcess } from '../sync/processes.ts';
import { type Crowd, dogsOf, idOf, pointOf, someReport } from './crowd.ts';
import { fill, laterThanTheBench, upTo } from './fill.ts';

/** Connections on which they sign on. */
const SIGNING_ON = 32;
/** The origin that the processes are started with. */
export const ORIGIN = 'http://localhost:3000';

/** The cookie of a member's session. */
export const cookieOf = (index: number): string =>
  `${cookieName(ORIGIN, SESSION_COOKIE)}=${tokenOf(index)}`;
const tokenOf = (index: number) => `token-of-walker-${index}`;

/** Creates members with a session each. */
export async function seedMembers(
  db: Db,
  indexes: number[],
  id: (index: number) => string,
  token: (index: number) => string,
): Promise<void> {
  // Far enough away that no reminder emails are sent during the measurement.
  const later = new Date(Date.now() + 365 * DAY_MS);
  await fill(db.collection<UserRow>('users'), indexes, (index) => ({
    _id: id(index),
    identity: `${ISSUER} ${id(index)}`,
    email: `${id(index)}@example.com`,
    email_verified: true,
    given_name: 'Walker',
    name: 'Walker',
    picture: null,
    is_admin: false,
    access_expires_at: later,
    documents: { card: id(index), account: id(index), contacts: id(index) },
    documents_ready: true,
    created_at: new Date(),
  }));
  await fill(db.collection<SessionRow>('sessions'), indexes, (index) => ({
    _id: tokenHash(token(index)),
    user_id: id(index),
    created_at: new Date(),
    last_used_at: new Date(),
    expires_at: later,
    revoked_at: null,
    device: 'Test',
  }));
}

/** Creates members with sessions, sharing cards and positions. */
export async function seedOurs(db: Db, crowd: Crowd): Promise<void> {
  const at = laterThanTheBench();
  await seedMembers(db, crowd.reporters, idOf, tokenOf);
  await fill(db.collection<CardRow>('cards'), upTo(crowd.size), (index) => ({
    _id: idOf(index),
    document_id: idOf(index),
    display_name: `Walker ${index}`,
    is_checked: true,
    name_words: nameWords(`Walker ${index}`),
    is_location_sharing_enabled: true,
    join_date: new Date().toISOString(),
    dogs: dogsOf(index).map((dog) => ({ ...dog, id: 'dog', created_at: '' })),
    updated_at: new Date(),
  }));
  await fill(db.collection<PositionRow>('positions'), upTo(crowd.size), (index) => ({
    _id: idOf(index),
    location: pointOf(crowd.place(index)),
    cell: cellOf(crowd.place(index)),
    at,
    minute: Math.floor(at.getTime() / 60_000),
  }));
}

/** Starts the real API in a process of its own, with all reporting users signed in. */
export interface Ours {
  port: number;
  pid: number;
  /** From the start of the process until the first report was answered, in milliseconds. */
  startMs: number;
  /** Sends a person's position, a few steps from the last one, on a connection to `port`. */
  report(line: Line): Promise<void>;
  megabytes(): number;
  /** @throws if other users' positions went stale, because the measured crowd was smaller then */
  checkCrowd(): void;
  stop(): Promise<void>;
}

export async function startOurs(uri: string, db: string, crowd: Crowd): Promise<Ours> {
  const from = performance.now();
  const { child, port } = await startApi(uri, db);
  const random = randomFrom(1);
  const ours: Ours = {
    port,
    pid: child.pid ?? 0,
    startMs: NaN,
    report(line) {
      const { index, place } = someReport(crowd, random);
      return post(line, index, place);
    },
    megabytes: () => Math.round(rssBytes(child.pid ?? 0) / 1024 ** 2),
    checkCrowd() {
      // They count from when they were read, at the earliest a moment after the start.
      const idle = crowd.size > crowd.reporters.length;
      if (idle && performance.now() - from > STALE_SECONDS * 1000)
        throw new Error(`${crowd.name}: measured too late, the crowd went stale meanwhile`);
    },
    stop: () => stopProcess(child),
  };
  const lines: Line[] = [];
  try {
    // The first report waits until all positions are loaded; then each user signs in once.
    const first = crowd.reporters[0] ?? 0;
    lines.push(await openLine(port));
    await post(lines[0]!, first, crowd.place(first));
    ours.startMs = performance.now() - from;
    while (lines.length < SIGNING_ON) lines.push(await openLine(port));
    const waiting = [...crowd.reporters];
    await Promise.all(
      lines.map(async (line) => {
        for (let index = waiting.pop(); index !== undefined; index = waiting.pop())
          await post(line, index, crowd.place(index));
      }),
    );
    return ours;
  } catch (error) {
    await ours.stop();
    throw error;
  } finally {
    for (const line of lines) line.close();
  }
}

/** Reports a position as the walker with this number. @returns the body of the answer */
async function post(line: Line, index: number, place: object): Promise<void> {
  const cookie = `cookie: ${cookieOf(index)}\r\n`;
  const answer = await line.post('/api/location', JSON.stringify(place), cookie);
  if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.body}`);
}

/** Starts the real API in a process of its own, practically without rate limits, on a database. */
export async function startApi(
  uri: string,
  db: string,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, '../../api/app/main.ts'), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      MONGODB_URI: uri,
      MONGODB_DB: db,
      PUBLIC_ORIGIN: ORIGIN,
      SYNC_SECRET: 'a secret for the bench',
      SYNC_INTERNAL_URL: 'http://127.0.0.1:9',
      API_PORT: '0',
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message) => {
      const { ready, port: at } = message as { ready?: boolean; port?: number };
      if (ready && at) resolve(at);
    });
    child.once('exit', (code) => reject(new Error(`the api ended with ${code}`)));
  });
  return { child, port };
}
