import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFewEmoji, splitLinks } from '../../../client/features/chat/view/parse-message-text.ts';
import { hereMessage } from '../../../client/features/chat/composer/here-dialog.tsx';

const links = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

test('turns web addresses into links without trailing punctuation', () => {
  expect(splitLinks('See https://example.com/park, or call.')).toEqual([
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

test('turns nothing but web addresses into links', () => {
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

test('the parts of any message add up to its text, and links only lead to the web', () => {
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
      const parts = splitLinks(text);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      const hrefs = parts.flatMap(({ href }) => href ?? []);
      expect(hrefs.filter((href) => !/^https?:\/\//u.test(href))).toEqual([]);
    }),
  );
});

test('recognizes messages of up to six emoji only', () => {
  for (const text of ['🐶', '👩🏽‍🦰 🐕', '❤️', '🇨🇭', '🐶🐶🐶🐶🐶🐶'])
    expect(isFewEmoji(text)).toBe(true);
  for (const text of ['', ' ', 'ok 🐶', '12', '#', '*', '🐶'.repeat(7), ':)'])
    expect(isFewEmoji(text)).toBe(false);
});

test('a message with a place has a link to the map, to about a meter', () => {
  const [before, link] = splitLinks(
    hereMessage({ latitude: 51.507_351_2, longitude: -0.127_758_3 }),
  );
  expect(before?.text).toBe('I’m here: ');
  expect(link?.href).toBe(
    'https://www.openstreetmap.org/?mlat=51.50735&mlon=-0.12776#map=18/51.50735/-0.12776',
  );
});
