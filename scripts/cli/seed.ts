import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { parseCliArgs } from './parse-cli-args.ts';
import { URI_FILE } from '../stack/stack.ts';
import { fillCrowd } from '../seed/seed-bulk.ts';
import { STREET_PEOPLE } from '../seed/user-cluster.ts';
import { fillTown } from '../seed/seed-via-api.ts';
import { requireRunning } from './api-session.ts';

/** As many as a town has at most: more would take longer than anybody waits for calls. */
const TOWN_MAX = 24;

const HELP = `npm run seed -- [--owners 24] [--seed 1] [--at 51.5007,-0.1246]
              [--origin http://localhost:3000] [--data ./data]

Fills a running Leashwise with a believable town.

The first ${TOWN_MAX} owners go through the api, as people would: their documents, dogs, friends, requests and messages
are there on every device, and so are places with tips and visits, charities, ads and an alert. Sign in as
owner-<seed>-1@example.com and so on to be one of them. It needs the stand-in for sign-in.

Beyond that, up to a million, they are written straight into MongoDB (MONGODB_URI, or the database of the instance that
runs on --data), in streets of ${STREET_PEOPLE} who know each other: with cards, dogs and their documents, friends and
requests, conversations, invitations, a place with tips and visits, donations, charities, businesses that advertise,
alerts and reports.
Sign in as crowd-<seed>-0@example.com and so on to be one of them.

The same seed gives the same again; what is there already stays, and a run that was broken off goes on. Restart the api
after a large seed: it knows who shares a location from its start on.`;

const values = parseCliArgs(
  HELP,
  () =>
    parseArgs({
      options: {
        owners: { type: 'string', default: String(TOWN_MAX) },
        seed: { type: 'string', default: '1' },
        at: { type: 'string', default: '51.5007,-0.1246' },
        origin: { type: 'string', default: 'http://localhost:3000' },
        data: { type: 'string', default: process.env['DATA_DIR'] ?? './data' },
        help: { type: 'boolean', default: false },
      },
    }).values,
);
const owners = Number(values.owners);
const seed = Number(values.seed);
const [latitude = Number.NaN, longitude = Number.NaN] = values.at.split(',').map(Number);
const isClear =
  Number.isInteger(owners) &&
  owners > 0 &&
  owners <= 1_000_000 &&
  Number.isInteger(seed) &&
  Math.abs(latitude) <= 90 &&
  Math.abs(longitude) <= 180;

if (!isClear) {
  console.error(HELP);
  process.exitCode = 1;
} else {
  const at = { latitude, longitude };
  const origin = values.origin.replace(/\/$/, '');
  await requireRunning(origin);
  await fillTown({ origin, owners: Math.min(owners, TOWN_MAX), seed, at, say: console.log });
  if (owners > TOWN_MAX) {
    const client = await MongoClient.connect(mongodbUri(values.data), { ignoreUndefined: true });
    try {
      const db = client.db(process.env['MONGODB_DB'] ?? 'leashwise');
      await fillCrowd({ db, owners: owners - TOWN_MAX, seed, at, say: console.log });
    } finally {
      await client.close();
    }
  }
}

/** @throws where neither the environment nor a running instance says which database it is */
function mongodbUri(dataDir: string): string {
  const told = process.env['MONGODB_URI'];
  if (told) return told;
  const file = join(dataDir, URI_FILE);
  if (!existsSync(file))
    throw new Error(`Set MONGODB_URI, or say with --data where a running Leashwise keeps its data`);
  return readFileSync(file, 'utf8').trim();
}
