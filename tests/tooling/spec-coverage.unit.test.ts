import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const lines = readFileSync(join(ROOT, 'docs/spec-coverage.md'), 'utf8').split('\n');
const TEST_FILE = /^tests\/.*\.(test\.tsx?|spec\.ts)$/;

/** `- what: `file`, `file``: what the specification asks, and its files. */
const rows = lines
  .filter((line) => line.startsWith('- '))
  .map((line) => {
    const [, what = '', files = ''] = /^- (.*): ((?:`[^`]+`(?:, )?)+)$/.exec(line) ?? [];
    return { line, what, files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file) };
  });
const testsOf = ({ files }: (typeof rows)[number]) => files.filter((file) => TEST_FILE.test(file));

test('each line of docs/spec-coverage.md names existing files, of which one is a test', () => {
  expect(rows.length).toBeGreaterThan(0);
  const wrong = rows.flatMap((row) => [
    ...row.files
      .filter((file) => !existsSync(join(ROOT, file)))
      .map((file) => `${row.what}: ${file} is not there`),
    ...(testsOf(row).length === 0 ? [`names no test: ${row.line}`] : []),
  ]);
  expect(wrong).toEqual([]);
});

test('each text that a line of docs/spec-coverage.md quotes occurs in a test that it names', () => {
  const texts = rows.flatMap((row) => quotedIn(row.what).map((text) => ({ row, text })));
  expect(texts.length).toBeGreaterThan(150);
  const unproven = texts
    .filter(({ row, text }) => !patternOf(text).test(sourceOf(row)))
    .map(({ row, text }) => `'${text}' in: ${row.what}`);
  expect(unproven).toEqual([]);
});

test('each field that a line of docs/spec-coverage.md names occurs in a test that it names', () => {
  const fields = rows.flatMap((row) => fieldsIn(row.what).map((field) => ({ row, field })));
  expect(fields.length).toBeGreaterThan(150);
  const unproven = fields
    .filter(({ row, field }) => !sourceOf(row).includes(field))
    .map(({ row, field }) => `${field} in: ${row.what}`);
  expect(unproven).toEqual([]);
});

/** The names with underscores, as the specification gives fields. */
const fieldsIn = (what: string) => [...new Set(what.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g))];

/** The texts in single quotes, apart from apostrophes. */
const quotedIn = (what: string) =>
  [...what.matchAll(/(?<![\w’])'((?:[^']|(?<=\w)'(?=\w)){3,})'(?!\w)/g)].map(
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

const sources = new Map<string, string>();
const read = (file: string) => {
  const source = sources.get(file) ?? plain(readFileSync(join(ROOT, file), 'utf8'));
  sources.set(file, source);
  return source;
};

/** The text of the tests that a line names. */
const sourceOf = (row: (typeof rows)[number]) => testsOf(row).map(read).join('\n');
