import { execFile } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import { type Crowd, idOf } from './crowd.ts';
import { laterThanTheBench } from './fill.ts';
import { scratchDirectory, spawnRival } from './cleanup.ts';
import { cardOf, type Running, SEED_BATCH, startHandler, untilItAnswers } from './rival-process.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root, so it runs as the user that Debian created for it. */
async function identity(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = async (which: string) => Number((await run('id', [which, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Starts PostgreSQL with all positions under a GiST index. @param programs the folder of initdb and postgres */
export async function startPostgis(programs: string, crowd: Crowd): Promise<Running> {
  const directory = scratchDirectory('postgis');
  const who = await identity();
  if (who.uid !== undefined && who.gid !== undefined) chownSync(directory, who.uid, who.gid);
  const data = join(directory, 'data');
  const initialised = ['-D', data, '-U', 'postgres', '-A', 'trust'];
  await run(join(programs, 'initdb'), initialised, { ...who, cwd: directory });
  const settings = ['listen_addresses=', 'shared_buffers=512MB', 'max_wal_size=4GB'];
  const server = spawnRival(
    join(programs, 'postgres'),
    ['-D', data, '-k', directory, ...settings.flatMap((setting) => ['-c', setting])],
    who,
  );
  const pool = new Pool({ host: directory, user: 'postgres', database: 'postgres', max: 2 });
  pool.on('error', () => {});
  await untilItAnswers(() => pool.query('SELECT 1'));
  await pool.query('CREATE EXTENSION postgis');
  await pool.query(
    'CREATE TABLE positions (user_id text PRIMARY KEY, geog geography(Point), at timestamptz, card jsonb)',
  );
  const at = laterThanTheBench();
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
  return startHandler('location-postgis.ts', directory, server);
}
