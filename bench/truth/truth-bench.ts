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
/** How many faults of a seed are said: one slow line makes hundreds of messages late. */
const SAID_MAX = 5;
/** The random text of a long message. */
const LONG = /[\w+/=]{60,}/gu;

/**
 * Plays random histories of a person with two devices and a friend, with the real client and servers, and compares after each
 * step what the screens claim with the server's disk and the friend's device.
 */
export async function truthBench(): Promise<BenchRow[]> {
  const played = new Set<number>();
  const failed = new Set<number>();
  const onSeed: PlaySettings['onSeed'] = (seed, wrong) => {
    played.add(seed);
    failed.delete(seed);
    if (wrong.length > 0) failed.add(seed);
    for (const each of wrong.slice(0, SAID_MAX))
      console.error(`seed ${seed}: ${each.replaceAll(LONG, '…')}`);
    if (wrong.length > SAID_MAX) console.error(`seed ${seed}: ${wrong.length - SAID_MAX} more`);
    if (BROWSER || played.size % SAID_EVERY === 0)
      console.error(`${played.size} of ${SEEDS} histories, ${failed.size} failed`);
  };
  const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);
  const late = await play(seeds, onSeed);
  console.error(`Played again alone: ${late.join(', ') || 'none'}`);
  return [
    {
      group: 'truth',
      row: `${BROWSER || 'Node'}${OLD_COMMIT ? `, an app of ${OLD_COMMIT}` : ''}, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}: histories in which every claim is true and nothing is lost`,
      ours: `${played.size - failed.size} of ${played.size}, ${late.length} of them played again alone`,
      target: 'all',
      ok: failed.size === 0 && played.size === SEEDS,
    },
  ];
}

/**
 * Plays seeds, and again alone those that were only late: beside others on a busy machine, a device may wait for minutes. An untrue
 * claim stays a failure.
 * @returns those that were played again
 */
async function play(
  seeds: readonly number[],
  onSeed: PlaySettings['onSeed'],
): Promise<readonly number[]> {
  const mongodb = await (MONGOD ? startOwnReplicaSet(MONGOD) : startOwnMongodb());
  const late: number[] = [];
  const playSome = (some: readonly number[]) =>
    (BROWSER ? playInChromium : playHistories)({
      mongodbUri: mongodb.uri,
      mongodb,
      seeds: some,
      onSeed,
      oldCommit: OLD_COMMIT,
    });
  try {
    for (let begun = 0; begun < seeds.length; begun += TOGETHER) {
      const wrong = await playSome(seeds.slice(begun, begun + TOGETHER));
      late.push(...[...wrong].flatMap(([seed, found]) => (found.some(isUntrue) ? [] : [seed])));
    }
    for (const seed of late) await playSome([seed]);
  } finally {
    await mongodb.close();
  }
  return late;
}

/** Whether words of a history tell of something that no waiting makes true. */
const isUntrue = (words: string): boolean => /\(after \d+: |stopped durable writes/u.test(words);
