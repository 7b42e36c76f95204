import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { PRIVACY_ELSEWHERE, PRIVACY_TOPICS } from '../../client/app/landing/privacy-topics.ts';
import { PERSONAL_COLLECTIONS, storedElsewhere } from './privacy-document.ts';

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
  const personal = PERSONAL_COLLECTIONS.map(({ collection }) => collection);
  expect(personal.length).toBeGreaterThan(50);
  expect(described.toSorted()).toEqual(personal.toSorted());
});

test.each(PRIVACY_TOPICS)(
  'the privacy page names the periods of docs/privacy.md: $title',
  ({ collections, stored }) => {
    const terms = PERSONAL_COLLECTIONS.filter(({ collection }) => collections.includes(collection));
    expect(periodsIn(stored)).toEqual(
      periodsIn(terms.map(({ retention }) => retention).join('; ')),
    );
  },
);

test('the privacy page names the periods of walks and of backups', () => {
  const textOf = (title: string) =>
    PRIVACY_ELSEWHERE.find(([name]) => name.startsWith(title))?.[1] ?? '';
  expect(periodsIn(textOf('Your walks'))).toEqual(
    periodsIn(storedElsewhere('Device, store `walks`')),
  );
  expect(periodsIn(textOf('Backups'))).toEqual(periodsIn(storedElsewhere('Backups')));
});
