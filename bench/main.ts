import type { BenchRow } from './result-row.ts';

/** `npm run bench [-- group…]`: runs all benchmarks, or the named groups, and prints a table. */
const groups: Record<string, (interrupted: AbortSignal) => Promise<BenchRow[]>> = {
  encounters: async () => (await import('./encounters.ts')).encountersBench(),
  privacy: async () => (await import('./privacy.ts')).privacyBench(),
  sync: async (interrupted) => (await import('./sync.ts')).syncBench(interrupted),
  location: async () => (await import('./location.ts')).locationBench(),
  places: async () => (await import('./places.ts')).placesBench(),
  screens: async () => (await import('./screens.ts')).screensBench(),
  search: async () => (await import('./search.ts')).searchBench(),
  'chat-simulation': async () => (await import('./chat-simulation.ts')).chatSimulationBench(),
  truth: async () => (await import('./truth/truth-bench.ts')).truthBench(),
  failover: async (interrupted) => (await import('./failover.ts')).failoverBench(interrupted),
  load: async (interrupted) => (await import('./load.ts')).loadBench(interrupted),
  kill: async (interrupted) => (await import('./kill.ts')).killBench(interrupted),
};
const COLUMNS = ['group', 'row', 'ours', 'rival', 'ratio', 'target'] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(
    `Unknown group: ${unknown.join(', ')}. Choose from ${Object.keys(groups).join(', ')}.`,
  );
  process.exit(2);
}

// The first signal lets the running group stop its processes, a second one exits at once.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(1);
    interrupted.abort(new Error(`interrupted by ${signal}`));
  });

const rows: BenchRow[] = [];
for (const [name, run] of Object.entries(groups)) {
  if (interrupted.signal.aborted || (wanted.length > 0 && !wanted.includes(name))) continue;
  console.error(`Running ${name}…`);
  try {
    rows.push(...(await run(interrupted.signal)));
  } catch (error) {
    const ours = `failed: ${error instanceof Error ? error.message : String(error)}`;
    rows.push({ group: name, row: 'all', ours, ok: false });
  }
}
print(rows);
const missed = rows.filter(({ ok }) => ok === false).length;
console.log(missed > 0 ? `${missed} targets missed` : 'All targets met');
process.exit(missed > 0 ? 1 : 0);

function print(table: BenchRow[]): void {
  const header = Object.fromEntries(COLUMNS.map((column) => [column, column])) as Omit<
    BenchRow,
    'ok'
  >;
  const widths = COLUMNS.map((column) =>
    Math.max(...[header, ...table].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: Omit<BenchRow, 'ok'>, verdict: string) =>
    `${COLUMNS.map((column, which) => (row[column] ?? '').padEnd(widths[which] ?? 0)).join('  ')}  ${verdict}`;
  console.log(line(header, ''));
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of table) console.log(line(row, row.ok === null ? '' : row.ok ? 'ok' : 'MISSED'));
}
