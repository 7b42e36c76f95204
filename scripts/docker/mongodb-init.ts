import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient, MongoServerError, type Db } from 'mongodb';
import { z } from 'zod';

/**
 * Initiates the replica set and creates an administrator and the user of the servers. Runs at each start, in the network namespace
 * of the first member, because MongoDB only lets a loopback connection create the first user.
 */
const env = z
  .object({
    /** `host:port` of each member, separated by commas. */
    MONGODB_MEMBERS: z.string().min(1),
    MONGODB_LOOPBACK: z.string().default('mongodb://127.0.0.1:27017/?directConnection=true'),
    MONGODB_ADMIN_PASSWORD: z.string().min(16),
    MONGODB_PASSWORD: z.string().min(16),
    MONGODB_DB: z.string().min(1).default('leashwise'),
  })
  .parse(process.env);
const ADMIN = { username: 'admin', password: env.MONGODB_ADMIN_PASSWORD };
/** Half of MongoDB's default: writes wait for it after the primary has failed. */
const ELECTION = { electionTimeoutMillis: 5_000 };
const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;
const AUTHENTICATION_FAILED = 18;
const [first = '', ...others] = env.MONGODB_MEMBERS.split(',');

if (!(await withAdmin(isReady))) {
  await withDb(undefined, createAdmin);
  await withAdmin(addMembersAndUser);
}

/** Returns undefined if there is no administrator yet. */
async function withAdmin<T>(run: (db: Db) => Promise<T>): Promise<T | undefined> {
  try {
    return await withDb(ADMIN, run);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED) return undefined;
    throw error;
  }
}

async function withDb<T>(auth: typeof ADMIN | undefined, run: (db: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(env.MONGODB_LOOPBACK, {
    ...(auth && { auth, authSource: 'admin' }),
    serverSelectionTimeoutMS: 60_000,
  });
  try {
    return await run(client.db('admin'));
  } finally {
    await client.close();
  }
}

async function isReady(db: Db): Promise<boolean> {
  const { members } = await configOf(db);
  const { users } = (await db.command({ usersInfo: 'leashwise' })) as { users: unknown[] };
  return members.length === others.length + 1 && users.length > 0;
}

async function createAdmin(db: Db): Promise<void> {
  const members = [{ _id: 0, host: first }];
  await db
    .command({ replSetInitiate: { _id: 'leashwise', members, settings: ELECTION } })
    .catch(unless(ALREADY_INITIALIZED));
  await untilPrimary(db);
  await db
    .command({
      createUser: ADMIN.username,
      pwd: ADMIN.password,
      roles: ['root'],
      writeConcern: { w: 1 },
    })
    // An interrupted start has created it already.
    .catch((error: unknown) => {
      if (!(error instanceof MongoServerError) || error.codeName !== 'Unauthorized') throw error;
    });
}

async function addMembersAndUser(db: Db): Promise<void> {
  await untilPrimary(db);
  for (const host of others) {
    const config = await configOf(db);
    if (config.members.some((member) => member.host === host)) continue;
    const _id = Math.max(...config.members.map((member) => member._id)) + 1;
    const members = [...config.members, { _id, host }];
    // A change must reach a majority before the next one.
    await db.command({ replSetReconfig: { ...config, members, version: config.version + 1 } });
    await wait(2_000);
  }
  const roles = [{ role: 'readWrite', db: env.MONGODB_DB }];
  const user = { pwd: env.MONGODB_PASSWORD, roles };
  const { users } = (await db.command({ usersInfo: 'leashwise' })) as { users: unknown[] };
  await db.command({ [users.length > 0 ? 'updateUser' : 'createUser']: 'leashwise', ...user });
}

interface Config {
  version: number;
  members: { _id: number; host: string }[];
}

async function configOf(db: Db): Promise<Config> {
  const { config } = (await db.command({ replSetGetConfig: 1 })) as { config: Config };
  return config;
}

async function untilPrimary(db: Db): Promise<void> {
  const isPrimary = async () => {
    const { isWritablePrimary } = (await db
      .command({ hello: 1 })
      .catch(unless(NOT_YET_INITIALIZED))) as { isWritablePrimary?: boolean };
    return isWritablePrimary === true;
  };
  while (!(await isPrimary())) await wait(500);
}

function unless(code: number): (error: unknown) => object {
  return (error) => {
    if (error instanceof MongoServerError && error.code === code) return {};
    throw error;
  };
}
