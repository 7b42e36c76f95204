import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFewEmoji, partsOf } from '../../../client/chat/view/parse-message-text.ts';

const links = (text: string) => partsOf(text).flatMap(({ href }) => href ?? []);

test('web addresses become links, and what ends the sentence does not belong to them', () => {
  expect(partsOf('See https://example.com/park, or call.')).toEqual([
    { text: 'See ', href: null },
    { text: 'https://example.com/park', href: 'https://example.com/park' },
    { text: ', or call.', href: null },
  ]);
  expect(links('(https://example.com/a)')).toEqual(['https://example.com/a']);
  expect(links('https://example.com/Dog_(animal)')).toEqual(['https://example.com/Dog_(animal)']);
  expect(links('http://a.example https://b.example/?q=1#x')).toEqual([
    'http://a.example/',
    'https://b.example/?q=1#x',
  ]);
});

test('nothing else becomes a link', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'www.example.com',
    'https://',
    'https://bank.example@evil.example/',
  ])
    expect(links(text)).toEqual([]);
});

test('whatever a message says, its parts are that message, and links lead to the web', () => {
  const pieces = fc.constantFrom(
    'https://',
    'http://',
    'a.example',
    '(',
    ')',
    '/',
    '.',
    '@',
    ' ',
    '"',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(pieces).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const parts = partsOf(text);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      const hrefs = parts.flatMap(({ href }) => href ?? []);
      expect(hrefs.filter((href) => !/^https?:\/\//u.test(href))).toEqual([]);
    }),
  );
});

test('a few emoji and nothing else are shown larger', () => {
  for (const text of ['🐶', '👩🏽‍🦰 🐕', '❤️', '🇨🇭', '🐶🐶🐶🐶🐶🐶'])
    expect(isFewEmoji(text)).toBe(true);
  for (const text of ['', ' ', 'ok 🐶', '12', '#', '*', '🐶'.repeat(7), ':)'])
    expect(isFewEmoji(text)).toBe(false);
});
