import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { seedCrowd } from '../seed/seed-bulk.ts';
import { seedTown } from '../seed/seed-via-api.ts';
import { STREET_PEOPLE } from '../seed/user-cluster.ts';
import { requireRunning } from '../session/api-session.ts';
import { URI_FILE } from '../stack/data-dir.ts';
import { parseCliArgs } from './parse-cli-args.ts';

/** Owners that are created through the API. More would take too long. */
const TOWN_MAX = 24;
const OWNERS_MAX = 1_000_000;

const HELP = `npm run seed -- [--owners ${TOWN_MAX}] [--seed 1] [--at 51.5007,-0.1246]
              [--origin http://localhost:3000] [--data ./data]

Adds demo data to a running Leashwise: a town around a position.

The first ${TOWN_MAX} owners are created through the API, with dogs, friends, requests, messages, planned walks, places with tips
and visits, charities, ads and an alert. Sign in as owner-<seed>-1@example.com and so on. Requires the sandbox sign-in.

All others, up to a million, are written to MongoDB (MONGODB_URI, or the database of the instance that runs on --data),
in streets of ${STREET_PEOPLE} people who know each other: with cards, dogs and their documents, friends and requests,
conversations, invitations, a place with tips and visits, and planned walks. Sign in as crowd-<seed>-0@example.com and so on.

The same seed creates the same data. Existing data is not changed, and an interrupted run can be repeated. Restart the
API after a large seed: it reads who shares a location at its start.`;

const { owners, seed, at, origin, data } = parseCliArgs(
  HELP,
  {
    owners: { type: 'string', default: String(TOWN_MAX) },
    seed: { type: 'string', default: '1' },
    at: { type: 'string', default: '51.5007,-0.1246' },
    data: { type: 'string', default: process.env['DATA_DIR'] ?? './data' },
  },
  (values, url) => {
    const count = Number(values.owners);
    const number = Number(values.seed);
    const [latitude = Number.NaN, longitude = Number.NaN] = values.at.split(',').map(Number);
    if (!Number.isInteger(count) || count < 1 || count > OWNERS_MAX)
      throw new Error(`--owners must be a number from 1 to ${OWNERS_MAX}`);
    if (!Number.isInteger(number)) throw new Error('--seed must be a whole number');
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
      throw new Error('--at must be a latitude and a longitude, separated by a comma');
    const at = { latitude, longitude };
    return { owners: count, seed: number, at, origin: url, data: values.data };
  },
);

await requireRunning(origin);
await seedTown({ origin, owners: Math.min(owners, TOWN_MAX), seed, at, log: console.log });
if (owners > TOWN_MAX) {
  const client = await MongoClient.connect(mongodbUri(), { ignoreUndefined: true });
  try {
    const db = client.db(process.env['MONGODB_DB'] ?? 'leashwise');
    await seedCrowd({ db, owners: owners - TOWN_MAX, seed, at, log: console.log });
  } finally {
    await client.close();
  }
}

/** @throws when neither the environment nor a running instance has the address of the database */
function mongodbUri(): string {
  const file = join(data, URI_FILE);
  if (process.env['MONGODB_URI']) return process.env['MONGODB_URI'];
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new Error('Set MONGODB_URI, or set --data to the data directory of a running Leashwise.');
}
