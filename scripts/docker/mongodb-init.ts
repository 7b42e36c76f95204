import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type Db,
  type MongoClientOptions,
} from 'mongodb';
import { z } from 'zod';
import { REPLICA_SET as SET } from '#shared/server/server-env.ts';
import { ELECTION } from './election.ts';
import { mongodbInitVariables, type MongodbInitEnv } from './mongodb-init-variables.ts';

/**
 * Initiates the replica set and creates an administrator and the user of the servers. It may run at each start, and again after any
 * interruption: each step looks at what is there, makes at most one change, and looks again. It runs on the machine (or in the
 * network namespace) of the first member, because MongoDB lets only a loopback connection create the first user.
 */
const parsed = z.object(mongodbInitVariables).safeParse(process.env);

const ADMIN = 'admin';
const SELECTION_MS = 3_000;
const AGAIN_MS = 500;

const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;
/** A set that starts, elects or applies a configuration answers with one of these. */
const NOT_READY = new Map([
  [6, 'HostUnreachable'],
  [7, 'HostNotFound'],
  [23, 'AlreadyInitialized'],
  [74, 'NodeNotFound'],
  [91, 'ShutdownInProgress'],
  [93, 'InvalidReplicaSetConfig'],
  [94, 'NotYetInitialized'],
  [103, 'NewReplicaSetConfigurationIncompatible'],
  [109, 'ConfigurationInProgress'],
  [189, 'PrimarySteppedDown'],
  [308, 'CurrentConfigNotCommittedYet'],
  [10107, 'NotWritablePrimary'],
  [11600, 'InterruptedAtShutdown'],
  [11602, 'InterruptedDueToReplStateChange'],
  [13435, 'NotPrimaryNoSecondaryOk'],
  [13436, 'NotPrimaryOrSecondary'],
  [51003, 'the user exists already'],
]);

/** A reason to stop that an operator can act on. */
class SetupError extends Error {}

/** What a step waits for; undefined once it is done. */
type Step = () => Promise<string | undefined>;
type Connect = <T>(run: (db: Db) => Promise<T>) => Promise<T>;

if (parsed.success) process.exitCode = await setUp(parsed.data).catch(explain);
else {
  const names = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  console.error(`mongodb-init needs other settings. ${names.join('; ')}`);
  process.exitCode = 1;
}

async function setUp(env: MongodbInitEnv): Promise<number> {
  const hosts = env.MONGODB_MEMBERS.split(',');
  const auth = { username: ADMIN, password: env.MONGODB_ADMIN_PASSWORD };
  const first: Connect = (run) => withAdminDb(env.MONGODB_LOOPBACK, {}, run);
  // Any member may be the primary once there are three.
  const uri = `mongodb://${env.MONGODB_MEMBERS}/?replicaSet=${SET}&authSource=admin`;
  const primary: Connect = (run) => withAdminDb(uri, { auth }, run);
  const done = (name: string, step: Step) => complete(name, step, env.MONGODB_WAIT_MS);

  await done('The replica set', () => first((db) => initiate(db, hosts[0] ?? '')));
  await done('The administrator', createAdmin(first, primary, env.MONGODB_ADMIN_PASSWORD));
  for (const host of hosts)
    await done(`Member ${host}`, () => primary((db) => addMember(db, host)));
  await done('The elections', () => primary(saveElections));
  const nodes: Connect = (run) =>
    withAdminDb(uri, { auth: { username: env.MONGODB_USER, password: env.MONGODB_PASSWORD } }, run);
  let change = 'its password is unchanged';
  await done('The user of the servers', async () => {
    if (await canSignIn(nodes)) {
      if (await primary((db) => mayWrite(db, env))) return undefined;
      change = 'it may write another database now';
    } else change = 'its password was changed; restart all nodes with it now';
    if (await primary((db) => saveUser(db, env))) change = 'created';
    return change;
  });
  if (env.MONGODB_DROP_USER) {
    if ([ADMIN, env.MONGODB_USER].includes(env.MONGODB_DROP_USER))
      throw new SetupError(`The user '${env.MONGODB_DROP_USER}' is in use.`);
    const dropped = env.MONGODB_DROP_USER;
    await done(`The former user ${dropped}`, () => primary((db) => dropUser(db, dropped)));
  }
  console.log(`MongoDB is set up. The user of the servers: ${change}.`);
  return 0;
}

/** A connection for each look: one that failed once would not recover. */
async function withAdminDb<T>(
  uri: string,
  options: MongoClientOptions,
  run: (db: Db) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(uri, { ...options, serverSelectionTimeoutMS: SELECTION_MS });
  try {
    return await run(client.db('admin'));
  } finally {
    await client.close();
  }
}

/** Repeats a step until it is done. @throws SetupError when it waits for too long */
async function complete(name: string, step: Step, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  let last: string | undefined;
  while (true) {
    const reason = await step().catch(notReady);
    if (reason === undefined) break;
    if (reason !== last) console.log(`${name}: ${reason}`);
    last = reason;
    if (Date.now() > deadline)
      throw new SetupError(
        `MongoDB isn't ready. ${name} waited for ${limitMs / 1000} seconds: ${reason}. See the log of each member, and run this again.`,
      );
    await wait(AGAIN_MS);
  }
  console.log(`${name}: done`);
}

/** Returns what to wait for. @throws the error when waiting doesn't help */
function notReady(error: unknown): string {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError)
    return `not ready: ${error.message}`;
  const name = error instanceof MongoServerError && NOT_READY.get(Number(error.code));
  if (name) return `not ready: ${name} (${String(error.code)}): ${error.message}`;
  throw error;
}

/** With one member: it is the primary, on whose loopback the first user can be created. */
async function initiate(first: Db, host: string): Promise<string | undefined> {
  const { setName } = (await first.command({ hello: 1 })) as { setName?: string };
  if (setName === SET) return undefined;
  if (setName)
    throw new SetupError(
      `This MongoDB belongs to the replica set '${setName}', not to '${SET}'. Start it with --replSet=${SET} and an empty data folder.`,
    );
  const members = [{ _id: 0, host }];
  try {
    await first.command({ replSetInitiate: { _id: SET, members, settings: ELECTION } });
  } catch (error) {
    if (!isCode(error, UNAUTHORIZED)) throw error;
    // It has users, so it has been used; after a start it doesn't know its set for a moment.
    return 'not ready: MongoDB has users already, but has not joined its replica set';
  }
  return 'initiated';
}

/** Signing in fails both before there is an administrator and with a wrong password. Only before can one be created. */
function createAdmin(first: Connect, primary: Connect, password: string): Step {
  let hasUsers = false;
  return async () => {
    try {
      await primary((db) => db.command({ replSetGetStatus: 1 }));
      return undefined;
    } catch (error) {
      if (!isCode(error, AUTHENTICATION_FAILED)) throw error;
    }
    if (hasUsers)
      throw new SetupError(
        "The password is wrong: MongoDB has users already, and MONGODB_ADMIN_PASSWORD isn't the password of its administrator 'admin'. Set it to the one of the first start.",
      );
    try {
      await first((db) => db.command({ createUser: ADMIN, pwd: password, roles: ['root'] }));
      return 'created';
    } catch (error) {
      if (!isCode(error, UNAUTHORIZED)) throw error;
      // Another run may have created it since the sign-in above.
      hasUsers = true;
      return 'MongoDB has users already';
    }
  };
}

interface Config {
  version: number;
  settings?: Record<string, unknown>;
  members: { _id: number; host: string }[];
}

/** MongoDB applies one change at a time: a new member votes once it has its data, which is a change of its own. */
async function addMember(primary: Db, host: string): Promise<string | undefined> {
  const answer = await primary.command({ replSetGetConfig: 1, commitmentStatus: true });
  const { config, commitmentStatus } = answer as { config: Config; commitmentStatus: boolean };
  if (config.members.some((member) => member.host === host)) return undefined;
  const waiting = commitmentStatus
    ? await unsettled(primary, config)
    : 'a majority to have the configuration';
  if (waiting) return `waits for ${waiting}`;
  const _id = Math.max(...config.members.map((member) => member._id)) + 1;
  const members = [...config.members, { _id, host }];
  await primary.command({ replSetReconfig: { ...config, members, version: config.version + 1 } });
  return 'added';
}

/** A set that an earlier version initiated has other settings. */
async function saveElections(primary: Db): Promise<string | undefined> {
  const answer = await primary.command({ replSetGetConfig: 1 });
  const { version, settings, ...config } = (answer as { config: Config }).config;
  if (Object.entries(ELECTION).every(([name, value]) => settings?.[name] === value))
    return undefined;
  await primary.command({
    replSetReconfig: { ...config, settings: { ...settings, ...ELECTION }, version: version + 1 },
  });
  return 'changed';
}

/** Returns the members that don't have the configuration or don't vote yet; undefined if all do. */
async function unsettled(primary: Db, config: Config): Promise<string | undefined> {
  const { members, votingMembersCount } = (await primary.command({ replSetGetStatus: 1 })) as {
    members: { name: string; stateStr: string; configVersion: number }[];
    votingMembersCount: number;
  };
  const behind = members.filter(
    ({ stateStr, configVersion }) =>
      !['PRIMARY', 'SECONDARY'].includes(stateStr) || configVersion !== config.version,
  );
  if (behind.length > 0) return behind.map(({ name, stateStr }) => `${name} (${stateStr})`).join();
  return votingMembersCount < config.members.length ? 'the newest member to vote' : undefined;
}

type NodesEnv = Pick<MongodbInitEnv, 'MONGODB_USER' | 'MONGODB_PASSWORD' | 'MONGODB_DB'>;

function rolesOf({ MONGODB_DB }: NodesEnv) {
  return [{ role: 'readWrite', db: MONGODB_DB }];
}

/** Whether the user of the servers may write their database, and no other. */
async function mayWrite(primary: Db, env: NodesEnv): Promise<boolean> {
  const { users } = (await primary.command({ usersInfo: env.MONGODB_USER })) as {
    users: { roles: { role: string; db: string }[] }[];
  };
  return isDeepStrictEqual(users[0]?.roles, rolesOf(env));
}

/** Its password and database are those of the environment after each run, so that they can be changed there. @returns whether it is new */
async function saveUser(primary: Db, env: NodesEnv): Promise<boolean> {
  const roles = rolesOf(env);
  const user = { pwd: env.MONGODB_PASSWORD, roles };
  const { users } = (await primary.command({ usersInfo: env.MONGODB_USER })) as {
    users: unknown[];
  };
  const isNew = users.length === 0;
  await primary.command({ [isNew ? 'createUser' : 'updateUser']: env.MONGODB_USER, ...user });
  return isNew;
}

async function dropUser(primary: Db, name: string): Promise<undefined> {
  const { users } = (await primary.command({ usersInfo: name })) as { users: unknown[] };
  if (users.length > 0) await primary.command({ dropUser: name });
}

async function canSignIn(connect: Connect): Promise<boolean> {
  try {
    await connect((db) => db.command({ ping: 1 }));
    return true;
  } catch (error) {
    if (!isCode(error, AUTHENTICATION_FAILED)) throw error;
    return false;
  }
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}

/** Prints why it stopped. Returns the exit code. */
function explain(error: unknown): number {
  if (error instanceof SetupError) console.error(error.message);
  else if (error instanceof MongoError) console.error(`MongoDB refused: ${error.message}`);
  else throw error;
  return 1;
}
