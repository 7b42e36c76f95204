import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const lines = readFileSync(join(ROOT, 'docs/spec-coverage.md'), 'utf8').split('\n');

/** The cells of each row of a table, without headings. */
const rows = lines
  .filter((line) => line.startsWith('| ') && !/^\| (What +\|| ?-)/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );

const filesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');

/** `tests/x.test.ts` › part of a title; several are divided by semicolons. */
const testsIn = (cell: string) =>
  cell.split(';').map((each) => /^\s*`([^`]+)` › (.+?)\s*$/.exec(each)?.slice(1) ?? [each, '']);

test('docs/spec-coverage.md has rows', () => expect(rows.length).toBeGreaterThan(0));

test('each row of docs/spec-coverage.md names existing files and test titles', () => {
  const wrong = rows.flatMap((row) => problemsOf(row).map((problem) => `${row[0]}: ${problem}`));
  expect(wrong).toEqual([]);
});

function problemsOf(row: string[]): string[] {
  const [, where = '', shown = ''] = row;
  if (row.length !== 3) return [`${row.length} cells`];
  const places = filesIn(where);
  const missing = places.filter((file) => !existsSync(join(ROOT, file)));
  return [
    ...(places.length === 0 ? ['names no place'] : []),
    ...missing.map((file) => `${file} is not there`),
    ...testsIn(shown).flatMap(([file = '', title = '']) => {
      if (!/^tests\/.*\.(test\.tsx?|spec\.ts)$/.test(file) || !title)
        return [`"${shown}" is no test`];
      if (!existsSync(join(ROOT, file))) return [`${file} is not there`];
      return readFileSync(join(ROOT, file), 'utf8').includes(title)
        ? []
        : [`no test '${title}' in ${file}`];
    }),
  ];
}
