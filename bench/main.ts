import type { BenchRow } from './row.ts';

/** `npm run bench [-- group…]`: one table of all that is measured, or of the groups that are named. */
const groups: Record<string, () => Promise<BenchRow[]>> = {
  encounters: async () => (await import('./encounters.ts')).encountersBench(),
  sync: async () => (await import('./sync.ts')).syncBench(),
  location: async () => (await import('./location.ts')).locationBench(),
  screens: async () => (await import('./screens.ts')).screensBench(),
  kill: async () => (await import('./kill.ts')).killBench(),
};
const COLUMNS = ['group', 'row', 'ours', 'rival', 'ratio', 'target'] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(
    `no such group: ${unknown.join(', ')}. There are ${Object.keys(groups).join(', ')}.`,
  );
  process.exit(2);
}

const rows: BenchRow[] = [];
for (const [name, run] of Object.entries(groups)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring: ${name}…`);
  try {
    rows.push(...(await run()));
  } catch (error) {
    const ours = `failed: ${error instanceof Error ? error.message : String(error)}`;
    rows.push({ group: name, row: 'all', ours, rival: '', ratio: '', target: '', ok: false });
  }
}
print(rows);
const missed = rows.filter(({ ok }) => ok === false).length;
console.log(missed > 0 ? `${missed} targets missed` : 'all targets met');
process.exit(missed > 0 ? 1 : 0);

function print(table: BenchRow[]): void {
  const header = Object.fromEntries(COLUMNS.map((column) => [column, column])) as Omit<
    BenchRow,
    'ok'
  >;
  const widths = COLUMNS.map((column) =>
    Math.max(...[header, ...table].map((row) => row[column].length)),
  );
  const line = (row: Omit<BenchRow, 'ok'>, verdict: string) =>
    `${COLUMNS.map((column, which) => row[column].padEnd(widths[which] ?? 0)).join('  ')}  ${verdict}`;
  console.log(line(header, ''));
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of table) console.log(line(row, row.ok === null ? '' : row.ok ? 'ok' : 'MISSED'));
}
