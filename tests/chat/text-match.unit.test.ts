import { describe, expect, test, vi } from 'vitest';
import { searchPattern } from '../../api/features/chat/search-pattern.ts';
import {
  containsQuery,
  normalizeQuery,
  placeOf,
} from '../../client/features/chat/search/text-match.ts';

const isFound = (query: string, text: string) =>
  containsQuery(normalizeQuery(query))({ id: 'm', text, at: '', isOwn: true });

/** A phone in Turkish, where the small letter of I is ı. */
function onTurkishPhone<T>(run: () => T): T {
  const { toLocaleLowerCase } = String.prototype;
  const ofPhone = vi
    .spyOn(String.prototype, 'toLocaleLowerCase')
    .mockImplementation(function turkish(this: string) {
      return toLocaleLowerCase.call(this, 'tr');
    });
  try {
    return run();
  } finally {
    ofPhone.mockRestore();
  }
}

describe('a search in a chat', () => {
  test.each([
    ['important', 'This is IMPORTANT'],
    ['IMPORTANT', 'this is important'],
    ['cafe', 'At the Cafe\u0301?'],
    ['café', 'At the cafe'],
    ['café', 'At the Cafe\u0301'],
    ['istanbul', 'İstanbul'],
  ])('for %s finds “%s”, also on a Turkish phone', (query, text) => {
    expect(isFound(query, text)).toBe(true);
    expect(new RegExp(searchPattern(query), 'u').test(text)).toBe(true);
    expect(onTurkishPhone(() => isFound(query, text))).toBe(true);
  });

  test.each([
    ['cafe', 'At the Cafe\u0301 now', 'Cafe\u0301'],
    ['strass', 'Die Straße dort', 'Straß'],
    ['ss', 'Straße', 'ß'],
    ['s', 'Straße', 'S'],
    ['bark', 'b\u00adark! bark', 'b\u00adark'],
    ['🐕', 'My 🐕 is', '🐕'],
    ['important', 'VERY IMPORTANT', 'IMPORTANT'],
    ['cat', 'a dog', null],
  ])('for %s marks it in “%s”', (query, text, expected) => {
    const place = placeOf(text, normalizeQuery(query));
    expect(place && text.slice(place.start, place.end)).toBe(expected);
  });

  test.each([
    ['strasse', 'Die Straße'],
    ['straße', 'Die STRASSE'],
    ['(at the *pier*)', 'Meet (At the *Pier*)'],
    ['[a-z]^\\', 'A pattern: [a-z]^\\'],
    ["o'neil", 'Mr O’Neil'],
    ['서울', '서울역'],
    ['7k2m-x', '7K2M\u2011X'],
  ])('the server finds %s in “%s”, too', (query, text) => {
    expect(isFound(query, text)).toBe(true);
    expect(new RegExp(searchPattern(query), 'u').test(text)).toBe(true);
  });

  test.each([
    ['a.*', 'axx'],
    ['e (at', 'e at'],
    ['[a-z]', 'b'],
  ])('the server does not find %s in “%s”', (query, text) => {
    expect(new RegExp(searchPattern(query), 'u').test(text)).toBe(false);
  });
});
