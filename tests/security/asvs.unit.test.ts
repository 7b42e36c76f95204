import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
/** Every requirement of levels 1 and 2 of OWASP ASVS 5.0.0. */
const requirements = JSON.parse(
  readFileSync(join(import.meta.dirname, 'asvs-5.0.0.json'), 'utf8'),
) as { id: string; level: number }[];

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) .*$/gm)].map(([line, id = '']) => {
  const [, , level, text = '', state = '', where = '', evidence = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  return { id, level: Number(level), text, state, where, evidence };
});
const STATES = ['met', 'partly', 'missing', 'not applicable'];

test('docs/security.md has one row for each requirement of levels 1 and 2', () => {
  expect(requirements.length).toBe(253);
  expect(rows.map(({ id, level }) => ({ id, level }))).toEqual(requirements);
});

test('each row of docs/security.md has a state and evidence, a gap or a reason', () => {
  const wrong = rows.filter(
    ({ text, state, where, evidence }) =>
      text === '' ||
      evidence === '' ||
      !STATES.includes(state) ||
      (state === 'met' && where === '-'),
  );
  expect(wrong).toEqual([]);
});

test('each met requirement names a test or says that none exists', () => {
  const unproven = rows.filter(
    ({ state, evidence }) =>
      state === 'met' && !/`tests\/|^review$|^by hand$|^`npm ci`$/.test(evidence),
  );
  expect(unproven).toEqual([]);
});

test('each file named in docs/security.md exists', () => {
  const named = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]*)+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the totals in docs/security.md match its rows', () => {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const [met, partly, none, no] = STATES.map(count);
  expect(page).toContain(
    `Of 253 requirements ${met} are met, ${partly} partly, ${none} are missing, and ${no} do not apply.`,
  );
});
