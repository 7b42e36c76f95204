import { Pool } from 'pg';
import { RADIUS_METERS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import { serveReports } from './location-handler.ts';

/** One statement: keep the position, find who is near, with names and dogs. */
const STATEMENT = `
WITH me AS (
  INSERT INTO positions (user_id, geog, at, card)
  VALUES ($1, ST_SetSRID(ST_MakePoint($2, $3), 4326)::geography, now(), '{}')
  ON CONFLICT (user_id) DO UPDATE SET geog = EXCLUDED.geog, at = EXCLUDED.at
  RETURNING geog
)
SELECT p.user_id, p.card, ST_Distance(p.geog, me.geog) AS meters
FROM positions p, me
WHERE p.user_id <> $1
  AND p.at >= now() - interval '${STALE_SECONDS} seconds'
  AND ST_DWithin(p.geog, me.geog, ${RADIUS_METERS})
ORDER BY meters LIMIT 20`;

const pool = new Pool({
  host: process.env['RIVAL_SOCKET'],
  user: 'postgres',
  database: 'postgres',
  max: 16,
});

serveReports(async ({ user_id, latitude, longitude }) => {
  const found = await pool.query({
    name: 'report',
    text: STATEMENT,
    values: [user_id, longitude, latitude],
  });
  return found.rows as unknown[];
});
