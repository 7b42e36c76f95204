import { MongoClient } from 'mongodb';
import { startMongodb } from '../scripts/stack/mongodb.ts';
import { startTestApi, type TestPerson } from '../tests/api.ts';
import { LISTS } from './admin/lists.ts';
import { fill, upTo } from './location/fill.ts';
import { scratchDirectory } from './location/cleanup.ts';
import type { BenchRow } from './result-row.ts';
import { median } from './quantiles.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const WARM_UP = 5;
const ROUNDS = 25;
const TARGET = 3;

const ms = (time: number) => `${time.toFixed(1)} ms`;

/**
 * Times the admin panel's lists over HTTP with a million rows and with a thousand. Both are called in turn, so that
 * other load on the machine affects both.
 */
export async function adminBench(): Promise<BenchRow[]> {
  const log = console.error;
  const mongodb = await startMongodb({ dataDir: scratchDirectory('admin'), env: process.env, log });
  try {
    await fillBoth(mongodb.uri);
    const few = await startTestApi(mongodb.uri, { MONGODB_DB: databaseOf(FEW) });
    try {
      log(`  building the indexes of ${MANY} rows…`);
      const many = await startTestApi(mongodb.uri, { MONGODB_DB: databaseOf(MANY) });
      try {
        return await compare(await few.asAdmin(), await many.asAdmin());
      } finally {
        await many.close();
      }
    } finally {
      await few.close();
    }
  } finally {
    await mongodb.close();
  }
}

const databaseOf = (size: number) => `bench-admin-${size}`;

/** Before the api starts, which then builds the indexes at once rather than row by row. */
async function fillBoth(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri);
  for (const size of [FEW, MANY])
    for (const { collection, row } of LISTS) {
      console.error(`  ${size} rows of ${collection}…`);
      await fill(
        client.db(databaseOf(size)).collection<{ _id: string | number }>(collection),
        upTo(size),
        row,
      );
    }
  await client.close();
}

async function compare(few: TestPerson, many: TestPerson): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { name, asks } of LISTS)
    for (const [what, ask] of Object.entries(asks)) {
      const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
      for (let round = -WARM_UP; round < ROUNDS; round++)
        for (const [side, person, size] of [
          ['few', few, FEW],
          ['many', many, MANY],
        ] as const) {
          const begun = performance.now();
          await ask(person.call, size);
          if (round >= 0) times[side].push(performance.now() - begun);
        }
      const [rival, ours] = [median(times.few), median(times.many)];
      rows.push({
        group: 'admin',
        row: `${name}: ${what}, of a million (beside: of a thousand)`,
        ours: ms(ours),
        rival: ms(rival),
        ratio: `${(ours / rival).toFixed(2)}×`,
        target: `≤ ${TARGET}×`,
        ok: ours / rival <= TARGET,
      });
    }
  return rows;
}
