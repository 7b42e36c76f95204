import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
/** Every requirement of levels 1 and 2 of OWASP ASVS 5.0.0. */
const requirements = JSON.parse(
  readFileSync(join(import.meta.dirname, 'asvs-5.0.0.json'), 'utf8'),
) as { id: string; level: number }[];

/** `- 1.2.3 (partly) requirement: where; evidence`. Without a state, it is met. */
const rows = [
  ...page.matchAll(/^- (\d+\.\d+\.\d+)(?: \((partly|missing)\))? ([^:\n]+): (.+)$/gm),
].map(([, id = '', state = 'met', , evidence = '']) => ({ id, state, evidence }));
const inapplicable = [...page.matchAll(/^- Not applicable: (.+)$/gm)].flatMap(([, list = '']) =>
  list.split('; ').flatMap((group) => {
    const [, ids = '', why = ''] = /^((?:\d+\.\d+\.\d+(?:, )?)+) \((.+)\)$/.exec(group) ?? [];
    return ids.split(', ').map((id) => ({ id, why }));
  }),
);

test('docs/security.md names each requirement of levels 1 and 2 once', () => {
  expect(requirements.length).toBe(253);
  const named = [...rows, ...inapplicable].map(({ id }) => id);
  expect(named.toSorted()).toEqual(requirements.map(({ id }) => id).toSorted());
  expect(inapplicable.filter(({ why }) => why === '')).toEqual([]);
});

test('each met requirement names a test or says that none exists', () => {
  const unproven = rows.filter(
    ({ state, evidence }) =>
      state === 'met' && !/`tests\/|; review$|; by hand$|; `npm ci`$/.test(evidence),
  );
  expect(unproven).toEqual([]);
});

test('each file named in docs/security.md exists', () => {
  const named = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]*)+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the totals in docs/security.md match its lines', () => {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  expect(page).toContain(
    `Of 253 requirements ${count('met')} are met, ${count('partly')} partly, ${count('missing')} are missing, and ${inapplicable.length} do not apply.`,
  );
});
