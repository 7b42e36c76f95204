import type { BenchRow } from '../result-row.ts';
import { startOwnMongodb, startOwnReplicaSet } from './own-mongodb.ts';
import { playHistories, playInChromium, type PlaySettings } from './play.ts';

const SEEDS = Number(process.env['BENCH_SEEDS'] ?? 300);
/** The tests play those below 1,000. */
const FIRST_SEED = Number(process.env['BENCH_FIRST_SEED'] ?? 1_000);
/** `chromium` plays with browsers in place of simulated devices. */
const BROWSER = process.env['BENCH_BROWSER'] ?? '';
/** Ann's second device has the app of this commit. */
const OLD_COMMIT = process.env['BENCH_OLD_COMMIT'];
/** The program of a replica set in place of one server. */
const MONGOD = process.env['BENCH_MONGOD'];
/** The number of seeds per set of servers and devices: data of earlier seeds slows later ones down. */
const TOGETHER = 100;
const SAID_EVERY = 20;
/** The random text of a long message. */
const LONG = /[\w+/=]{60,}/gu;

/**
 * Plays random histories of a person with two devices and a friend, with the real client and servers, and compares after each
 * step what the screens claim with the server's disk and the friend's device.
 */
export async function truthBench(): Promise<BenchRow[]> {
  let played = 0;
  let failed = 0;
  const onSeed: PlaySettings['onSeed'] = (seed, wrong) => {
    played++;
    if (wrong.length > 0) failed++;
    for (const each of wrong) console.error(`seed ${seed}: ${each.replaceAll(LONG, '…')}`);
    if (BROWSER || played % SAID_EVERY === 0)
      console.error(`${played} of ${SEEDS} histories, ${failed} failed`);
  };
  const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);
  await play(seeds, onSeed);
  return [
    {
      group: 'truth',
      row: `${BROWSER || 'Node'}${OLD_COMMIT ? `, an app of ${OLD_COMMIT}` : ''}, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}: histories in which every claim is true and nothing is lost`,
      ours: `${played - failed} of ${played}`,
      target: 'all',
      ok: failed === 0 && played === SEEDS,
    },
  ];
}

async function play(seeds: readonly number[], onSeed: PlaySettings['onSeed']): Promise<void> {
  const mongodb = await (MONGOD ? startOwnReplicaSet(MONGOD) : startOwnMongodb());
  try {
    for (let begun = 0; begun < seeds.length; begun += TOGETHER)
      await (BROWSER ? playInChromium : playHistories)({
        mongodbUri: mongodb.uri,
        mongodb,
        seeds: seeds.slice(begun, begun + TOGETHER),
        onSeed,
        oldCommit: OLD_COMMIT,
      });
  } finally {
    await mongodb.close();
  }
}
