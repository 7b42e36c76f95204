import { expect, test } from 'vitest';
import { featureProblems, floorProblems } from '../../scripts/test/check-floors.ts';
import { nameProblems } from '../../scripts/test/check-names.ts';
import { structureProblems } from '../../scripts/test/check-structure.ts';

test.each([
  ['a file name', 'api/told.ts', 'export const a = 1;\n', '"told" in "told.ts"'],
  [
    'an exported function',
    'api/a.ts',
    'export function tellAuthor() {}\n',
    '"tell" in "tellAuthor"',
  ],
  ['an exported class', 'api/a.ts', 'export class DeskLinks {}\n', '"desk" in "DeskLinks"'],
  ['an exported constant', 'api/a.ts', 'export const STAND_IN_PEOPLE = [];\n', '"standin"'],
  [
    'an export list',
    'api/a.ts',
    'const a = 1;\nexport { a as keptNames };\n',
    '"kept" in "keptNames"',
  ],
  ['a type', 'client/a.tsx', 'export interface MeetingLetters {}\n', '"letters"'],
])('reports a withdrawn word in %s', (_case, file, text, problem) => {
  expect(structureProblems([file], () => text)).toEqual([expect.stringContaining(problem)]);
});

test('allows names that contain a withdrawn word as part of another', () => {
  const text = 'export const standIndex = 1;\nexport function understanding() {}\n';
  expect(structureProblems(['api/upbeat-letterbox.ts'], () => text)).toEqual([]);
});

test('allows at most 20 files in a folder, except for decisions', () => {
  const files = (folder: string) => Array.from({ length: 21 }, (_, i) => `${folder}/file-${i}.css`);
  expect(structureProblems(files('client/features/chat'), () => '')).toEqual([
    'client/features/chat: 21 files; at most 20 are allowed',
  ]);
  expect(structureProblems(files('client/features/chat').slice(1), () => '')).toEqual([]);
  expect(structureProblems(files('docs/decisions'), () => '')).toEqual([]);
});

test.each([
  ['in one line', '(a: A, b = 1, c?: C, d = {}, e: (x: X, y: Y) => void) {'],
  ['in lines', '(\n    a: A,\n    b: B,\n    c: C,\n    d: D,\n    e: E,\n  ) {'],
])('reports a constructor with five parameters %s, and not one with options', (_how, text) => {
  const problem = 'api/a.ts: a constructor with more than 4 parameters; use named options';
  const constructing = (parameters: string) =>
    structureProblems(['api/a.ts'], () => `class A {\n  constructor${parameters}\n  }\n}\n`);
  expect(constructing(text)).toEqual([problem]);
  expect(constructing(text.replace(/a: A,\s*/, ''))).toEqual([]);
  expect(constructing('(a: A, { b, c, d, e, f }: Options = {}) {')).toEqual([]);
  expect(
    constructing('(\n    a: A,\n    {\n      b,\n      c,\n      d,\n    }: Options,\n  ) {'),
  ).toEqual([]);
});

test('reports a number outside rules.ts of a feature’s shared files', () => {
  const text = 'const SECRET_DAYS = 7;\nexport const NAME_MAX = 100;\nconst LAST = [1];\n';
  expect(structureProblems(['shared/dogs/contract.ts'], () => text)).toEqual([
    'shared/dogs/contract.ts: SECRET_DAYS is a number; numbers are in shared/dogs/rules.ts',
    'shared/dogs/contract.ts: NAME_MAX is a number; numbers are in shared/dogs/rules.ts',
  ]);
  expect(structureProblems(['shared/dogs/rules.ts'], () => text)).toEqual([]);
});

test.each([
  'toast.error(error.message);',
  '<p>{(error as Error).message}</p>',
  'setProblem(cause?.message ?? null);',
  'const words = String(error);',
  'setProblem(`Failed: ${loadError}`);',
])('reports a screen that shows the text of an exception: %s', (line) => {
  const problem = 'client/a.tsx:2: shows the text of an exception; use messageOf';
  expect(structureProblems(['client/a.tsx'], () => `\n${line}\n`)).toEqual([problem]);
  expect(structureProblems(['api/a.ts'], () => line)).toEqual([]);
});

test('allows the message of a person, and the place that turns errors into words', () => {
  expect(structureProblems(['client/a.tsx'], () => 'words={person.message}')).toEqual([]);
  expect(
    structureProblems(['client/platform/http/error-message.ts'], () => 'error.message'),
  ).toEqual([]);
});

/** @param modules the text of each, by path */
const floors = (modules: Record<string, string>) =>
  floorProblems(Object.keys(modules), (file) => modules[file] ?? '');

test.each([
  "import { a } from '../../features/dogs/a.ts';",
  "import type { A } from '../../features/dogs/a.ts';",
  "import '../../features/dogs/a.ts';",
  "const load = () => import('../../features/dogs/a.ts');",
  "import {\n  a,\n  b,\n} from '../../features/dogs/a.ts';",
])('reports an import up a floor: %s', (text) => {
  const problem =
    'client/platform/http/b.ts: imports client/features/dogs/a.ts, which is a floor up';
  expect(floors({ 'client/platform/http/b.ts': text })).toEqual([problem]);
  expect(floors({ 'client/app/home/b.ts': text })).toEqual([]);
});

test('reports features that import each other in a circle, and not those that only use them', () => {
  const modules = {
    'client/features/chat/a.ts': "import { b } from '../friends/b.ts';",
    'client/features/friends/b.ts': "import type { C } from '../profile/c.ts';",
    'client/features/profile/c.ts': "const later = () => import('../chat/d.ts');",
    'client/features/walks/e.ts': "import { a } from '../chat/a.ts';",
  };
  const problem =
    'client/features/chat, client/features/friends, client/features/profile import each other in a circle';
  expect(floors(modules)).toEqual([problem]);
  expect(floors({ ...modules, 'client/features/profile/c.ts': '' })).toEqual([]);
});

test('reports folders of any floor that import each other in a circle, also within a folder that groups them', () => {
  const modules = {
    'client/platform/ui/inputs/a.tsx': "import { b } from '../../forms/b.ts';",
    'client/platform/forms/b.ts': "import { c } from '../ui/layout/c.tsx';",
    'client/platform/ui/layout/c.tsx': "import { d } from '../inputs/d.tsx';",
    // Part of a folder with modules of its own, and beside all folders.
    'client/platform/forms/parts/e.ts': "import { b } from '../b.ts';",
    'client/platform/features.ts': "import { a } from './ui/inputs/a.tsx';",
  };
  const problem =
    'client/platform/forms, client/platform/ui/inputs, client/platform/ui/layout import each other in a circle';
  expect(floors(modules)).toEqual([problem]);
  expect(floors({ ...modules, 'client/platform/ui/layout/c.tsx': '' })).toEqual([]);
});

test('reports folders of a tree without floors that import each other in a circle', () => {
  const modules = {
    'scripts/cli/a.ts': "import { b } from '../seed/b.ts';",
    'scripts/seed/b.ts': "import { c } from '../cli/c.ts';",
    // Beside all folders.
    'scripts/d.ts': "import { a } from './cli/a.ts';",
  };
  expect(floors(modules)).toEqual(['scripts/cli, scripts/seed import each other in a circle']);
  expect(floors({ ...modules, 'scripts/seed/b.ts': "import { d } from '../d.ts';" })).toEqual([]);
});

test('reports imports up a floor in each tree', () => {
  expect(
    floors({
      'api/platform/a.ts': "import { b } from '../app/b.ts';",
      'sync-server/core/a.ts': "import { b } from '../plugins/b.ts';",
      'sync-server/server.ts': "import { b } from './wire/b.ts';",
    }),
  ).toEqual([
    'api/platform/a.ts: imports api/app/b.ts, which is a floor up',
    'sync-server/core/a.ts: imports sync-server/plugins/b.ts, which is a floor up',
  ]);
});

test.each([
  ['client/features/dogs/leash.tsx', 'export function LeashBadge() {}', 'exports LeashBadge'],
  ['client/features/dogs/use-dog.ts', 'export const useDogs = () => {};', 'exports useDogs'],
  ['sync-server/core/log.ts', 'export class ChangeLog {}', 'exports ChangeLog'],
  ['api/features/dogs/enter.ts', 'export async function redeemCode() {}', 'exports redeemCode'],
  ['tests/dogs/talk.ts', 'class Talk {\n  private said = 1;\n}', ':2: private; use #'],
])('rejects a name in %s that cannot be guessed', (file, text, problem) => {
  expect(nameProblems([file], () => text)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['client/features/dogs/leash-badge.tsx', 'export function LeashBadge() {}'],
  ['api/features/dogs/code-entry.ts', 'export async function redeemCode() {}'],
  ['api/features/dogs/routes.ts', 'export function mountDogs() {}'],
  ['shared/dogs/words.ts', 'export const one = 1;\nexport const two = 2;'],
  ['tests/dogs/talk.ts', 'class Talk {\n  #said = 1;\n  private constructor() {}\n}'],
])('accepts the names in %s', (file, text) => {
  expect(nameProblems([file], () => text)).toEqual([]);
});

test('reports a feature without feature.ts, and a listed one that has it', () => {
  const files = [
    'client/features/walks/walk.ts',
    'client/features/dogs/feature.ts',
    'client/features/dogs/dogs-page.tsx',
    'api/features/openstreetmap/tags.ts',
    'client/features/weather/feature.ts',
  ];
  expect(featureProblems(files)).toEqual([
    'client/features/walks: has no feature.ts',
    'client/features/weather: has a feature.ts; remove it from REGISTERS_NOTHING',
  ]);
});
