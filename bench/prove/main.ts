import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { startTerminal } from '../../tests/terminal.ts';
import { useBadNetworks } from './bad-network.ts';
import type { CheckSettings, Outcome } from './check-settings.ts';
import { fuzzEndpoints } from './endpoint-fuzz.ts';
import { survive } from './faults.ts';
import { outlastSlowClients } from './slow-clients.ts';
import { fuzzSync } from './sync-fuzz.ts';

/** `npm run prove [-- --minutes 30 --seed 1 check…]`: attacks a running product in many ways and prints a table. */
const CHECKS: {
  name: string;
  share: number;
  run: (settings: CheckSettings) => Promise<Outcome>;
}[] = [
  { name: 'endpoints', share: 3, run: fuzzEndpoints },
  { name: 'sync', share: 2, run: fuzzSync },
  { name: 'slow clients', share: 1, run: outlastSlowClients },
  { name: 'bad networks', share: 2, run: useBadNetworks },
  { name: 'faults', share: 4, run: survive },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const chosen = CHECKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const shares = chosen.reduce((sum, { share }) => sum + share, 0);
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());

await buildIfStale(process.env, console.error);
const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-prove-'));
const port = await freePort();
const inspectorPort = await freePort();
const terminal = startTerminal({
  PORT: String(port),
  DATA_DIR: dataDir,
  NODE_OPTIONS: `--inspect-port=${inspectorPort}`,
});
let failed = 0;
try {
  await terminal.ready();
  console.log(`Seed ${values.seed}`);
  for (const { name, share, run } of chosen) {
    const startedAt = performance.now();
    const { tried, failures } = await run({
      origin: `http://localhost:${port}`,
      dataDir,
      inspectorPort,
      budgetMs: (Number(values.minutes) * 60_000 * share) / shares,
      seed: Number(values.seed),
      interrupted: interrupted.signal,
    }).catch((error: unknown) => ({
      tried: 'ended by an error',
      failures: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    }));
    failed += failures.length;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(
      `${name.padEnd(16)} ${String(seconds).padStart(5)} s  ${tried}: ${failures.length} failures`,
    );
    for (const failure of failures) console.log(`  ✗ ${failure}`);
  }
} finally {
  terminal.child.kill('SIGTERM');
  await terminal.exit;
  if (failed > 0) console.log(`Logs and data: ${dataDir}`);
  else await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
