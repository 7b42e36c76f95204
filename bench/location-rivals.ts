import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { type Crowd, dogsOf, idOf } from './crowd.ts';

const run = promisify(execFile);
const SEED_BATCH = 5_000;
const START_MS = 30_000;

interface Running {
  port: number;
  stop(): Promise<void>;
}

/** An engine of Debian's packages, started for the bench on a directory of its own. */
export interface Rival {
  name: string;
  /** Why it cannot be had here. */
  missing: string;
  start: ((crowd: Crowd) => Promise<Running>) | null;
}

/** Both engines; installs what is missing where that is allowed. */
export async function openRivals(): Promise<Rival[]> {
  const redis = await found('redis-server', () => which('redis-server'));
  const postgres = await found('postgresql postgresql-15-postgis-3', postgresDirectory);
  return [
    {
      name: 'Redis, one Lua script,',
      missing: 'redis-server is not installed and cannot be',
      start: redis === null ? null : (crowd) => startRedis(redis, crowd),
    },
    {
      name: 'PostGIS, one CTE,',
      missing: 'postgresql with postgis is not installed and cannot be',
      start: postgres === null ? null : (crowd) => startPostgis(postgres, crowd),
    },
  ];
}

async function found(packages: string, look: () => Promise<string | null>): Promise<string | null> {
  const there = await look();
  if (there || process.getuid?.() !== 0) return there;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } };
  const install = ['install', '-y', '--no-install-recommends', ...packages.split(' ')];
  await run('apt-get', install, options)
    .catch(() => run('apt-get', ['update'], options).then(() => run('apt-get', install, options)))
    .catch(() => {});
  return look();
}

const which = (program: string) =>
  run('which', [program]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );

/** Where the programs of a PostgreSQL are that has PostGIS. */
async function postgresDirectory(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch((): string[] => []);
  for (const version of versions.toSorted().toReversed()) {
    const extensions = await readdir(`/usr/share/postgresql/${version}/extension`).catch(
      (): string[] => [],
    );
    if (extensions.includes('postgis.control')) return `/usr/lib/postgresql/${version}/bin`;
  }
  return null;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

/** The handler of a rival, in a process of its own as ours is. */
async function startHandler(
  file: string,
  socket: string,
): Promise<{ port: number; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'rivals', file), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, RIVAL_SOCKET: socket },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { port, child };
}

async function untilItAnswers(ask: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() - from > START_MS) throw error;
      await wait(100);
    }
  }
}

const laterThanTheBench = () => Date.now() + 10 * 60_000;
const cardOf = (index: number) =>
  JSON.stringify({ display_name: `Walker ${index}`, dogs: dogsOf(index) });

async function startRedis(program: string, crowd: Crowd): Promise<Running> {
  const directory = await mkdtemp(join(tmpdir(), 'leashwise-redis-'));
  const socket = join(directory, 'socket');
  const server = spawn(
    program,
    ['--port', '0', '--unixsocket', socket, '--dir', directory, '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  const redis = new Redis(socket, { lazyConnect: true, retryStrategy: () => 100 });
  redis.on('error', () => {});
  await untilItAnswers(() => redis.ping());
  const at = laterThanTheBench();
  for (let from = 0; from < crowd.size; from += SEED_BATCH) {
    const batch = redis.pipeline();
    for (let index = from; index < Math.min(crowd.size, from + SEED_BATCH); index += 1) {
      const { latitude, longitude } = crowd.place(index);
      batch.geoadd('positions', longitude, latitude, idOf(index));
      batch.hset('at', idOf(index), at);
      batch.hset('cards', idOf(index), cardOf(index));
    }
    await batch.exec();
  }
  redis.disconnect();
  const { port, child } = await startHandler('location-redis.ts', socket);
  return {
    port,
    async stop() {
      await end(child);
      await end(server);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startPostgis(programs: string, crowd: Crowd): Promise<Running> {
  const directory = await mkdtemp(join(tmpdir(), 'leashwise-postgis-'));
  // PostgreSQL refuses to run as root.
  const identity: { uid?: number; gid?: number } =
    process.getuid?.() === 0
      ? {
          uid: Number((await run('id', ['-u', 'postgres'])).stdout),
          gid: Number((await run('id', ['-g', 'postgres'])).stdout),
        }
      : {};
  if (identity.uid !== undefined && identity.gid !== undefined)
    await chown(directory, identity.uid, identity.gid);
  const data = join(directory, 'data');
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust'], {
    ...identity,
    cwd: directory,
  });
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-k', directory, '-c', 'listen_addresses=', '-c', 'shared_buffers=512MB'],
    { ...identity, cwd: directory, stdio: 'ignore' },
  );
  const pool = new Pool({ host: directory, user: 'postgres', database: 'postgres', max: 2 });
  pool.on('error', () => {});
  await untilItAnswers(() => pool.query('SELECT 1'));
  await pool.query('CREATE EXTENSION postgis');
  await pool.query(
    'CREATE TABLE positions (user_id text PRIMARY KEY, geog geography(Point), at timestamptz, card jsonb)',
  );
  const at = new Date(laterThanTheBench());
  for (let from = 0; from < crowd.size; from += SEED_BATCH) {
    const indexes = Array.from(
      { length: Math.min(SEED_BATCH, crowd.size - from) },
      (_, offset) => from + offset,
    );
    const places = indexes.map((index) => crowd.place(index));
    await pool.query(
      `INSERT INTO positions
       SELECT id, ST_SetSRID(ST_MakePoint(lng, lat), 4326)::geography, $5, card::jsonb
       FROM unnest($1::text[], $2::float8[], $3::float8[], $4::text[]) AS row(id, lng, lat, card)`,
      [
        indexes.map(idOf),
        places.map(({ longitude }) => longitude),
        places.map(({ latitude }) => latitude),
        indexes.map(cardOf),
        at,
      ],
    );
  }
  await pool.query('CREATE INDEX ON positions USING gist (geog)');
  await pool.query('ANALYZE positions');
  await pool.end();
  const { port, child } = await startHandler('location-postgis.ts', directory);
  return {
    port,
    async stop() {
      await end(child);
      await end(server);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
