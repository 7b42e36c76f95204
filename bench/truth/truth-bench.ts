import { startMongodb } from '../../scripts/stack/mongodb.ts';
import { endWithBench, scratchDirectory } from '../location/cleanup.ts';
import type { BenchRow } from '../result-row.ts';
import { playHistories } from './play.ts';

type OnSeed = (seed: number, wrong: readonly string[]) => void;

const SEEDS = Number(process.env['BENCH_SEEDS'] ?? 300);
/** The tests play those below 1,000. */
const FIRST_SEED = Number(process.env['BENCH_FIRST_SEED'] ?? 1_000);
/** The number of seeds per set of servers and devices: data of earlier seeds slows later ones down. */
const TOGETHER = 100;

/**
 * Plays random histories of a person with two devices and a friend, with the real client and servers, and compares after each
 * step what the screens claim with the server's disk and the friend's device.
 */
export async function truthBench(): Promise<BenchRow[]> {
  let played = 0;
  let failed = 0;
  const onSeed = (seed: number, wrong: readonly string[]) => {
    played++;
    if (wrong.length > 0) failed++;
    for (const each of wrong) console.error(`seed ${seed}: ${each}`);
    if (played % TOGETHER === 0) console.error(`${played} of ${SEEDS} histories, ${failed} failed`);
  };
  const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);
  await playInNode(seeds, onSeed);
  return [
    {
      group: 'truth',
      row: `seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}: histories in which every claim is true and nothing is lost`,
      ours: `${played - failed} of ${played}`,
      rival: '',
      ratio: '',
      target: 'all',
      ok: failed === 0 && played === SEEDS,
    },
  ];
}

async function playInNode(seeds: readonly number[], onSeed: OnSeed): Promise<void> {
  const mongodb = await startMongodb({
    dataDir: scratchDirectory('bench-truth'),
    env: process.env,
    log: () => {},
  });
  if (mongodb.child) endWithBench(mongodb.child);
  try {
    for (let begun = 0; begun < seeds.length; begun += TOGETHER)
      await playHistories(
        mongodb.uri,
        seeds.slice(begun, begun + TOGETHER),
        onSeed,
        mongodb.child?.pid,
      );
  } finally {
    await mongodb.close();
  }
}
