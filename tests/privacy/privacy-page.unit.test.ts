import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { PRIVACY_ELSEWHERE, PRIVACY_TOPICS } from '../../client/app/landing/privacy-topics.ts';

const docs = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8');
const rows = new Map(
  [...docs.matchAll(/^\| `([\w.]+)`.*$/gm)].map(([line, collection = '']) => {
    const [, , data = '', , , stored = ''] = line.split('|').map((cell) => cell.trim());
    return [collection, { data, stored }];
  }),
);

const UNITS = { second: 1000, minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** Returns the periods in a text in milliseconds, each once, shortest first. */
function periodsIn(text: string): number[] {
  const found = [...text.matchAll(/(\d+) (second|minute|hour|day)s?/g)].map(
    ([, count, unit]) => Number(count) * UNITS[unit as keyof typeof UNITS],
  );
  return [...new Set(found)].toSorted((a, b) => a - b);
}

test('the privacy page describes each collection with personal data once, and no other', () => {
  const described = PRIVACY_TOPICS.flatMap(({ collections }) => collections);
  const personal = [...rows].flatMap(([name, { data }]) =>
    data.startsWith('no person') ? [] : [name],
  );
  expect(personal.length).toBeGreaterThan(50);
  expect(described.toSorted()).toEqual(personal.toSorted());
});

test.each(PRIVACY_TOPICS)(
  'the privacy page names the periods of docs/privacy.md: $title',
  ({ collections, stored }) => {
    const terms = collections.map((name) => rows.get(name)?.stored ?? '').join('; ');
    expect(periodsIn(stored)).toEqual(periodsIn(terms));
  },
);

test('the privacy page names the periods of walks and of backups', () => {
  const outside = docs.slice(docs.indexOf('## Outside the database'));
  const rowOf = (start: string) => outside.split('\n').find((line) => line.startsWith(start)) ?? '';
  const textOf = (title: string) =>
    PRIVACY_ELSEWHERE.find(([name]) => name.startsWith(title))?.[1] ?? '';
  const walks = rowOf('| Device: IndexedDB, store `walks`');
  expect(periodsIn(textOf('Your walks'))).toEqual(periodsIn(walks));
  const [stored = ''] = rowOf('| Backups').split('`npm run');
  expect(periodsIn(textOf('Backups'))).toEqual(periodsIn(stored));
});
