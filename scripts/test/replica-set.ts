import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient, type Document } from 'mongodb';
import { MINUTE_MS } from '#shared/time.ts';
import { ELECTION } from '../docker/election.ts';
import { freePort } from '../stack/ports.ts';
import { createDatabaseDir } from './database-dir.ts';

const STEP_DOWN_SECONDS = 3;
const ELECTION_MS = MINUTE_MS;
/**
 * A secondary that replicated from a primary that froze leaves it after two seconds instead of thirteen. Until then, no write is
 * durable.
 */
const SYNC_SOURCE_PARAMETERS = [
  'oplogNetworkTimeoutBufferSeconds=1',
  'oplogFetcherSteadyStateMaxFetcherRestarts=0',
];

/** Members of a real replica set on this machine. */
export interface ReplicaSet {
  uri: string;
  /** Returns the current primary. */
  primary(): Promise<{ port: number; pid: number }>;
  /** Has the primary step down; another member is elected. */
  stepDown(): Promise<void>;
  /** Ends the primary with a signal, and starts it again once another one is elected. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Suspends all members but the primary, so that it replicates nothing. Returns a function that ends that. */
  suspendSecondaries(): Promise<() => void>;
  /** Suspends the primary: it keeps its connections, and answers nothing. Returns a function that ends that. */
  freeze(): Promise<() => void>;
  close(): Promise<void>;
}

/** Elects faster than production, so that tests wait less. */
const FAST_ELECTIONS = {
  ...ELECTION,
  electionTimeoutMillis: 2_000,
  heartbeatIntervalMillis: 500,
};

/** @param mongod the path of the program, 4.4 or newer */
export async function startReplicaSet(
  mongod: string,
  members = 3,
  settings: Document = FAST_ELECTIONS,
): Promise<ReplicaSet> {
  const directory = await createDatabaseDir('failover');
  const ports = await Promise.all(Array.from({ length: members }, () => freePort()));
  const processes = new Map<number, ChildProcess>();

  async function start(port: number): Promise<void> {
    const path = join(directory, String(port));
    await mkdir(path, { recursive: true });
    const options =
      `--dbpath ${path} --port ${port} --bind_ip 127.0.0.1 --nounixsocket --replSet failover ` +
      '--wiredTigerCacheSizeGB 0.25 --oplogSize 50 ' +
      SYNC_SOURCE_PARAMETERS.map((parameter) => `--setParameter ${parameter}`).join(' ');
    processes.set(port, spawn(mongod, options.split(' '), { stdio: 'ignore' }));
  }

  /** Asks one member. @throws when it does not answer */
  async function ask(port: number, command: Document): Promise<Document> {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 2_000,
    });
    try {
      return await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  }

  async function primary(): Promise<number> {
    const deadline = Date.now() + ELECTION_MS;
    while (Date.now() < deadline) {
      for (const port of ports) {
        const hello = await ask(port, { hello: 1 }).catch(() => null);
        if (hello?.['isWritablePrimary']) return port;
      }
      await wait(200);
    }
    throw new Error('no primary was elected');
  }

  async function close(): Promise<void> {
    for (const member of processes.values()) {
      if (member.exitCode !== null || member.signalCode !== null) continue;
      member.kill('SIGKILL');
      await once(member, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  }

  try {
    for (const port of ports) await start(port);
    const first = ports[0] ?? 0;
    const deadline = Date.now() + ELECTION_MS;
    // All members must answer, or the set is not created.
    for (const port of ports)
      while (!(await ask(port, { ping: 1 }).catch(() => null))) {
        if (Date.now() > deadline) throw new Error(`${mongod} did not start`);
        await wait(200);
      }
    const hosts = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }));
    await ask(first, { replSetInitiate: { _id: 'failover', members: hosts, settings } });
    await primary();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    uri: `mongodb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/?replicaSet=failover`,
    async primary() {
      const port = await primary();
      return { port, pid: processes.get(port)!.pid! };
    },
    async stepDown() {
      const command = { replSetStepDown: STEP_DOWN_SECONDS, secondaryCatchUpPeriodSecs: 1 };
      await ask(await primary(), { ...command, force: true });
      await primary();
    },
    async end(signal) {
      const port = await primary();
      const member = processes.get(port);
      if (!member) throw new Error(`no member on ${port}`);
      const ended = once(member, 'exit');
      member.kill(signal);
      await ended;
      await primary();
      await start(port);
    },
    async suspendSecondaries() {
      const port = await primary();
      const others = [...processes].filter(([each]) => each !== port).map(([, member]) => member);
      for (const member of others) member.kill('SIGSTOP');
      return () => {
        for (const member of others) member.kill('SIGCONT');
      };
    },
    async freeze() {
      const member = processes.get(await primary());
      member?.kill('SIGSTOP');
      return () => member?.kill('SIGCONT');
    },
    close,
  };
}
