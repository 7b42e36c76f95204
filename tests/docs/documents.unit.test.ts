import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { beginsPath, DOCUMENTS, exists, read, SETTINGS, SOURCES } from './repository-files.ts';

const DECISIONS = DOCUMENTS.filter((file) => /^docs\/decisions\/\d{4}-/.test(file));
const numberOf = (decision: string) => Number(/\/(\d{4})-/.exec(decision)?.[1]);
/** Releases are described as they were. */
const PRESENT = DOCUMENTS.filter((file) => file !== 'CHANGELOG.md');

/** A path in this repository; paths with <…> or * are patterns. */
const PATH =
  /^(?:api|bench|client|deploy|docs|gateway|monitoring|scripts|shared|sync-server|tests)\/[\w./{},-]*$/;
/** As PATH, in prose. */
const PATH_IN_TEXT =
  /(?<![\w/.-])(?:api|bench|client|deploy|docs|gateway|scripts|shared|sync-server|tests)\/[\w./-]*\w\.\w+/g;

const plain = (text: string) =>
  text
    .replaceAll(String.raw`\'`, "'")
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\s+/g, ' ');
const source = plain(SOURCES.map(read).join('\n'));
const words = new Set(source.match(/\w+/g));
/** Metrics get the prefix where they are made. */
const isInSource = (name: string) => words.has(name) || words.has(name.replace(/^leashwise_/, ''));

/** Code in a document, by lines: spans and blocks. */
function codeIn(document: string): string[] {
  const text = read(document);
  const blocks = [...text.matchAll(/^ *```.*\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans.map((span) => span.replaceAll(/\s+/g, ' '))];
}

/** Expands `a/{b,c}.ts` to two paths. */
function pathsOf(code: string): string[] {
  const [, before = '', each, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(code) ?? [];
  return each === undefined ? [code] : each.split(',').map((name) => `${before}${name}${after}`);
}

test.each(PRESENT)('%s names existing files only', (document) => {
  const named = codeIn(document)
    .map((code) => code.replaceAll(', ', ','))
    .filter((code) => PATH.test(code))
    .flatMap(pathsOf);
  const linked = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path = '']) =>
    join(dirname(document), path),
  );
  expect([...named, ...linked].filter((path) => !exists(path))).toEqual([]);
});

test.each(SETTINGS)('%s names existing files only', (file) => {
  const named = read(file).match(PATH_IN_TEXT) ?? [];
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

const scripts = new Set(
  Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts),
);
/** The names of a table in the source: `  'a-name': …`. */
const namesIn = (file: string, declaration: string) => {
  const table = read(file).split(declaration)[1]?.split('\n};')[0] ?? '';
  return new Set([...table.matchAll(/^ {2}'?([\w-]+)'?: /gm)].map(([, name = '']) => name));
};
const benches = namesIn('bench/main.ts', 'const groups');
const adminCommands = namesIn('scripts/cli/admin.ts', 'const COMMANDS');

test.each([...PRESENT, ...SETTINGS])('%s names existing commands only', (document) => {
  const lines = document.endsWith('.md') ? codeIn(document) : read(document).split('\n');
  const wrong = lines.flatMap((line) => [
    ...[...line.matchAll(/\bnpm (?:run (?:--silent |-s )?([a-z][\w:-]*)|(test|start)\b)/g)]
      .map(([, name, own]) => name ?? own ?? '')
      .filter((name) => !scripts.has(name)),
    ...[...line.matchAll(/npm run bench -- ([a-z][\w -]*)/g)]
      .flatMap(([, names = '']) => names.trim().split(' '))
      .filter((name) => !benches.has(name)),
    ...[
      ...line.matchAll(/(?:npm run admin --|--rm(?: -T)? admin|servers\/admin\.js) ([a-z][\w-]*)/g),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !adminCommands.has(name)),
    ...[...line.matchAll(/npm run test:\w+ -- (tests\/[\w./-]+)/g)]
      .map(([, path = '']) => path)
      .filter((path) => !beginsPath(path)),
  ]);
  expect(wrong).toEqual([]);
});

test('commands, benchmarks and admin commands are found in the source', () => {
  expect(Math.min(scripts.size, benches.size, adminCommands.size)).toBeGreaterThan(3);
});

/** Constants, variables of the environment, fields and camelCase names. */
const NAME =
  /(?<![\w-])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?![\w-])/g;

test.each(PRESENT)('%s names constants, variables and fields that exist', (document) => {
  const named = codeIn(document).flatMap((code) => code.match(NAME) ?? []);
  expect(named.filter((name) => !isInSource(name))).toEqual([]);
});

test.each(SETTINGS)('%s names variables that exist', (file) => {
  const own = file === 'Caddyfile' ? /\{\$(\w+)/g : /^(?:# )?([A-Z][A-Z_]+)=/gm;
  const named = [...read(file).matchAll(own)].map(([, name = '']) => name);
  const others = SOURCES.filter((other) => other !== file)
    .map(read)
    .join('\n');
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !new RegExp(String.raw`\b${name}\b`).test(others))).toEqual([]);
});

/** N and … stand for what the code fills in. Other quotations have straight quotes. */
const isShown = (quoted: string) =>
  quoted.split(/\bN\b|…/).every((part) => source.includes(part.trim()));

test.each(PRESENT)('%s quotes texts of the product as they are', (document) => {
  const quoted = [...plain(read(document)).matchAll(/“([^”]+)”/g)].map(([, text = '']) => text);
  expect(quoted.filter((text) => !isShown(text))).toEqual([]);
});

const INDEX = 'docs/decisions/README.md';

test('the index of decisions links each decision once', () => {
  const linked = [...read(INDEX).matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(
    ([, file = '']) => `docs/decisions/${file}`,
  );
  expect(linked.toSorted()).toEqual(DECISIONS.toSorted());
});

test.each(DECISIONS)('%s has a numbered title and the sections of an ADR', (file) => {
  const [title, ...sections] = read(file).match(/^##? .*$/gm) ?? [];
  expect(title).toMatch(new RegExp(String.raw`^# ${numberOf(file)}\. \S`));
  expect(sections).toEqual(['## Status', '## Context', '## Decision', '## Consequences']);
});

const decisionsNamedIn = (file: string) =>
  [...read(file).matchAll(/decisions? ((?:\d+(?:, | and )?)+)/gi)].flatMap(([, list = '']) =>
    (list.match(/\d+/g) ?? []).map(Number),
  );

test('each decision that a document or source refers to exists, under a unique number', () => {
  const numbers = DECISIONS.map(numberOf);
  expect(new Set(numbers).size).toBe(numbers.length);
  const missing = [...PRESENT, ...SETTINGS, ...SOURCES].flatMap((file) =>
    decisionsNamedIn(file)
      .filter((number) => !numbers.includes(number))
      // A merged decision names the numbers that it includes, in its status.
      .map((number) => `decision ${number} in ${file}: search docs/decisions for ${number}`),
  );
  expect(missing).toEqual([]);
});

test('each decision is named in the code that it explains', () => {
  const named = new Set(SOURCES.flatMap(decisionsNamedIn));
  expect(DECISIONS.filter((file) => !named.has(numberOf(file)))).toEqual([]);
});
