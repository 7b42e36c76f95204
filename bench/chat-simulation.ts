import { startMongodb } from '../scripts/mongodb.ts';
import { simulate } from '../tests/chat/simulation/simulate.ts';
import { endWithBench, scratchDirectory } from './location/leftovers.ts';
import type { BenchRow } from './row.ts';

const SEEDS = Number(process.env['BENCH_SEEDS'] ?? 2_000);
/** The tests play those below. */
const FIRST_SEED = 1_000;

/** People with two devices each over a network that fails in every way, seed after seed: what is wrong afterwards. */
export async function chatSimulationBench(): Promise<BenchRow[]> {
  const mongodb = await startMongodb({
    dataDir: scratchDirectory('bench-chat'),
    env: process.env,
    log: () => {},
  });
  if (mongodb.child) endWithBench(mongodb.child);
  try {
    const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);
    let played = 0;
    const wrong = await simulate(mongodb.uri, seeds, (seed, found) => {
      played++;
      for (const each of found) console.error(`seed ${seed}: ${each}`);
      if (played % 100 === 0) console.error(`${played} of ${SEEDS} seeds`);
    });
    const failed = Object.keys(wrong).length;
    return [
      {
        group: 'chat-simulation',
        row: 'seeds in which all devices agree, nothing acknowledged is lost, nobody holds what is not theirs',
        ours: `${played - failed} of ${played}`,
        rival: '',
        ratio: '',
        target: 'all',
        ok: failed === 0 && played === SEEDS,
      },
    ];
  } finally {
    await mongodb.close();
  }
}
