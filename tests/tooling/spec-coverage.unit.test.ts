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

test('each text that a row of docs/spec-coverage.md quotes occurs in a test that the row names', () => {
  const texts = rows.flatMap((row) => quotedIn(row[0]!).map((text) => ({ row, text })));
  expect(texts.length).toBeGreaterThan(150);
  const unproven = texts
    .filter(({ row, text }) => !patternOf(text).test(sourceOf(row[2]!)))
    .map(({ row, text }) => `'${text}' in: ${row[0]}`);
  expect(unproven).toEqual([]);
});

test('each field that a row of docs/spec-coverage.md names occurs in a test that the row names', () => {
  const fields = rows.flatMap((row) => fieldsIn(row[0]!).map((field) => ({ row, field })));
  expect(fields.length).toBeGreaterThan(150);
  const unproven = fields
    .filter(({ row, field }) => !sourceOf(row[2]!).includes(field))
    .map(({ row, field }) => `${field} in: ${row[0]}`);
  expect(unproven).toEqual([]);
});

/** The names with underscores, as the specification gives fields. */
const fieldsIn = (cell: string) => [...new Set(cell.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g))];

/** The texts in single quotes, apart from apostrophes. */
const quotedIn = (cell: string) =>
  [...cell.matchAll(/(?<![\w’])'((?:[^']|(?<=\w)'(?=\w)){3,})'(?!\w)/g)].map(
    ([, text]) => text ?? '',
  );

/** Makes quotation marks, apostrophes and spaces alike. */
const plain = (text: string) =>
  text
    .replaceAll("\\'", "'")
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\s+/g, ' ');

/** Anything fits in place of `{method}`, `<field>`, `N` and a final `...`. */
const patternOf = (text: string) =>
  new RegExp(
    plain(text)
      .split(/\{[^}]*\}|<[^>]*>|\bN\b|\.\.\.$/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.{0,40}?'),
  );

/** The start of a test. `test.slow()` is a call within one. */
const TEST_START = /^( {0,4})(?:test|offlineTest|it)(?!\.slow\()(?:\.\w+)*[(<`]/;

/** The files that a cell names, without the tests that it doesn't name. */
function sourceOf(cell: string): string {
  const titles = new Map<string, string[]>();
  for (const [file = '', title = ''] of testsIn(cell))
    titles.set(file, [...(titles.get(file) ?? []), title]);
  return plain([...titles].map(([file, named]) => namedParts(file, named)).join('\n'));
}

function namedParts(file: string, titles: readonly string[]): string {
  const kept: string[] = [];
  let part: string[] = [];
  /** The indentation of the test that the part is; null between tests. */
  let indent: string | null = null;
  const finish = () => {
    const text = part.join('\n');
    if (indent === null || titles.some((title) => text.includes(title))) kept.push(text);
    part = [];
  };
  for (const line of readFileSync(join(ROOT, file), 'utf8').split('\n')) {
    const start = TEST_START.exec(line);
    if (start) {
      finish();
      indent = start[1]!;
    }
    part.push(line);
    // The line '}) => {' ends a long list of parameters, not the test.
    if (
      indent !== null &&
      /^(?!.* => \{$)[)}]/.test(line.slice(indent.length)) &&
      line.startsWith(indent)
    ) {
      finish();
      indent = null;
    }
  }
  finish();
  return kept.join('\n');
}

/** The titles of the tests in a file, not their code. */
const titlesIn = (file: string): string[] =>
  [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(
      /(?:\b(?:test|it|offlineTest)(?:\.\w+)*\(|\)\()\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`|"([^"\n]*)")/g,
    ),
  ].map(([, ...quoted]) => quoted.find((each) => each !== undefined) ?? '');

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
      return titlesIn(file).some((each) => each.includes(title))
        ? []
        : [`no test '${title}' in ${file}`];
    }),
  ];
}
