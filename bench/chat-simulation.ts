import { startMongodb } from '../scripts/stack/mongodb.ts';
import { simulate } from '../tests/chat/simulation/simulate.ts';
import { endWithBench, scratchDirectory } from './location/cleanup.ts';
import type { BenchRow } from './result-row.ts';

const SEEDS = Number(process.env['BENCH_SEEDS'] ?? 2_000);
/** Numbers of sync nodes; with several, the bus between them fails, too. */
const NODES = (process.env['BENCH_NODES'] ?? '1,2,3').split(',').map(Number);
/** The number of seeds per set of servers and devices: data of earlier seeds slows later ones down. */
const TOGETHER = 200;
/** The tests play those below 1,000. */
const FIRST_SEED = Number(process.env['BENCH_FIRST_SEED'] ?? 1_000);

/**
 * Simulates users with two devices each on a network with all kinds of failures, seed after seed, and reports
 * inconsistencies.
 */
export async function chatSimulationBench(): Promise<BenchRow[]> {
  const mongodb = await startMongodb({
    dataDir: scratchDirectory('bench-chat'),
    env: process.env,
    log: () => {},
  });
  if (mongodb.child) endWithBench(mongodb.child);
  try {
    const rows: BenchRow[] = [];
    for (const nodes of NODES) rows.push(await simulateNodes(mongodb.uri, nodes));
    return rows;
  } finally {
    await mongodb.close();
  }
}

async function simulateNodes(mongodbUri: string, nodes: number): Promise<BenchRow> {
  const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);
  let played = 0;
  let failed = 0;
  const onSeed = (seed: number, found: readonly string[]) => {
    played++;
    if (found.length > 0) failed++;
    for (const each of found) console.error(`${nodes} nodes, seed ${seed}: ${each}`);
    if (played % 100 === 0) console.error(`${nodes} nodes: ${played} of ${SEEDS} seeds`);
  };
  for (let begun = 0; begun < SEEDS; begun += TOGETHER)
    await simulate(mongodbUri, seeds.slice(begun, begun + TOGETHER), { onSeed, nodes });
  return {
    group: 'chat-simulation',
    row: `${nodes} sync nodes: seeds in which all devices agree, nothing acknowledged is lost, nobody stores other people's data`,
    ours: `${played - failed} of ${played}`,
    target: 'all',
    ok: failed === 0 && played === SEEDS,
  };
}
