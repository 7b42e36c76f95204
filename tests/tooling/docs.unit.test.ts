import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DECISIONS = 'docs/decisions';
const decisions = readdirSync(join(ROOT, DECISIONS)).filter((file) => /^\d{4}-/.test(file));
const DOCS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'docs/capacity.md',
  'docs/decisions/README.md',
  'docs/privacy.md',
  'docs/scaling.md',
  'docs/security.md',
  'docs/voice.md',
  ...decisions.map((file) => join(DECISIONS, file)),
];
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** A path in this repository; paths with <…> or * are patterns. */
const PATH = /^(api|bench|client|docs|gateway|scripts|shared|sync-server|tests)\/[\w./{},-]*$/;

const sources = ['api', 'client', 'gateway', 'scripts', 'shared', 'sync-server'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
);

/** Expands `a/{b,c}.ts` to two paths. */
function pathsOf(words: string): string[] {
  const [, before = '', each, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(words) ?? [];
  return each === undefined ? [words] : each.split(',').map((name) => `${before}${name}${after}`);
}

test.each(DOCS)('%s refers to existing files only', (doc) => {
  const text = read(doc);
  const named = [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, words = '']) => words.replaceAll(', ', ','))
    .filter((words) => PATH.test(words))
    .flatMap(pathsOf);
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path = '']) =>
    join(dirname(doc), path),
  );
  expect([...named, ...linked].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('ARCHITECTURE.md names identifiers that exist', () => {
  const words = new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []));
  const named = [...read('ARCHITECTURE.md').matchAll(/`(\w*[a-z][A-Z]\w*|[A-Z]\w*[a-z]\w*)`/g)];
  const missing = named
    .map(([, name = '']) => name)
    .filter((name) => !words.has(name) && !existsSync(join(ROOT, name)));
  expect(named.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('the index of decisions links each decision once', () => {
  const index = read(join(DECISIONS, 'README.md'));
  const linked = [...index.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, file = '']) => file);
  expect(linked.toSorted()).toEqual(decisions.toSorted());
});

test.each(decisions)('%s has a numbered title and the sections of an ADR', (file) => {
  const [title, ...sections] = read(join(DECISIONS, file)).match(/^##? .*$/gm) ?? [];
  expect(title).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. \\S`));
  expect(sections).toEqual(['## Status', '## Context', '## Decision', '## Consequences']);
});

test('each decision that a document or source refers to exists, under a unique number', () => {
  const numbers = decisions.map((file) => Number(file.slice(0, 4)));
  expect(new Set(numbers).size).toBe(numbers.length);
  const asked = [...DOCS, ...sources].flatMap((file) =>
    [...read(file).matchAll(/decisions? (\d+)(?: and (\d+))?/gi)].flatMap(([, one, other]) =>
      [one, other].filter((number) => number !== undefined).map(Number),
    ),
  );
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((number) => !numbers.includes(number))).toEqual([]);
});
