import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hereMessage } from '../../../client/features/chat/composer/here-dialog.tsx';
import { isFewEmoji, splitLinks } from '../../../client/features/chat/view/parse-message-text.ts';

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

test('turns addresses without a protocol, emails and phone numbers into links', () => {
  for (const [text, href] of [
    ['www.example.com', 'https://www.example.com/'],
    ['www.dogs.example/map', 'https://www.dogs.example/map'],
    ['WWW.Parks.nyc', 'https://www.parks.nyc/'],
    ['www.parks.example.co.uk/dogs', 'https://www.parks.example.co.uk/dogs'],
    ['example.com/park', 'https://example.com/park'],
    ['https://xn--pple-43d.com/', 'https://xn--pple-43d.com/'],
    ['https://example.com/аpple', 'https://example.com/%D0%B0pple'],
    ['sam@example.com', 'mailto:sam@example.com'],
    ['(555) 123-4567', 'tel:5551234567'],
    ['555 123 4567', 'tel:5551234567'],
    ['555.123.4567', 'tel:5551234567'],
    ['+44 20 7946 0958', 'tel:+442079460958'],
    ['+41791234567', 'tel:+41791234567'],
  ] as const) {
    expect(splitLinks(text)).toEqual([{ text, href }]);
    expect(links(`(${text}), or later.`)).toEqual([href]);
    expect(links(`Here: ${text}.`)).toEqual([href]);
  }
  // Nothing that would write the email for the reader.
  expect(links('mailto:sam@example.com?body=Hello')).toEqual(['mailto:sam@example.com']);
});

test('turns nothing else into links', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'https://',
    'https://bank.example@evil.example/',
    'https://sam:secret@evil.example/',
    'Great.so we meet at the park.it is nice',
    '//example.com',
    'on 2026-11-28 at 18.30',
    'on 28.11.2026 18.30',
    'for 1,234,567.89 dollars',
    '5-10 minutes, 3 dogs, 2026',
    '51.50735, -0.12776',
    'order 12345678901234567890',
    'order 1234567890',
    '12.50 1234 5678 90',
    'paid 1 12.50 1234 5678',
    // With a Cyrillic а.
    'https://аpple.com/',
    'www.аpple.com',
    'аpple.com',
    'sam@аpple.com',
    'https://аpple.com/xn--pple-43d.com',
    'https://xn--pple-43d.аpple.com/',
  ])
    expect(links(text)).toEqual([]);
});

test('the parts of any message add up to its text, and links only lead to the web, emails and phones', () => {
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
    'www.',
    '555 123 4567',
    '+',
    '.com',
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
      expect(hrefs.filter((href) => !/^(?:https?:\/\/|mailto:|tel:\+?\d+$)/u.test(href))).toEqual(
        [],
      );
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
