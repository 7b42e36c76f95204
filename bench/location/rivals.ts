import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { onPath } from '../../scripts/stack/programs.ts';
import type { Crowd } from './crowd.ts';
import { startPostgis } from './postgis.ts';
import { startRedis } from './redis.ts';
import type { Running } from './rival-process.ts';

const run = promisify(execFile);

/** Starts an engine from Debian's packages on a directory of its own. */
export interface Rival {
  name: string;
  /** Why it cannot be had here. */
  missing: string;
  start: ((crowd: Crowd) => Promise<Running>) | null;
}

/** Returns both engines; installs missing ones if that is allowed. */
export async function openRivals(): Promise<Rival[]> {
  const redis = await found(
    'redis-server',
    async () => onPath('redis-server', process.env) ?? null,
  );
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

/** Returns the folder of the programs of a PostgreSQL with PostGIS. */
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
