import { expect, test } from 'vitest';
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
