import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { referralLink, refIn, withoutLinks } from '#shared/referrals/rules.ts';

test.each([
  ['see https://evil.example/x?a=b', 'see https: //evil. example/x?a=b'],
  ['www.evil.example', 'www. evil. example'],
  ['evil。example and evil．example', 'evil. example and evil. example'],
  ['write to a@evil.co.uk', 'write to a@evil. co. uk'],
  ['a:http:////b.io', 'a: http: ////b. io'],
  ['tel:+1900', 'tel: +1900'],
  ['e\u202Evil\u200b.example', 'evil. example'],
  ['one\r\ntwo\rthree\u0000', 'one\ntwo\nthree'],
])('withoutLinks turns %j into %j', (written, said) => expect(withoutLinks(written)).toBe(said));

test.each(['At 7.30pm, by the gate: bring Rex (9 kg, 1.5 m leash) 🐕‍🦺 :)', 'e.g. on Sunday...'])(
  'withoutLinks leaves prose unchanged: %s',
  (prose) => expect(withoutLinks(prose)).toBe(prose),
);

test('withoutLinks removes each web and email address and changes nothing the second time', () => {
  const pieces = constantFrom(
    'http',
    's',
    ':',
    '/',
    '//',
    '.',
    'evil',
    'com',
    '1',
    '@',
    ' ',
    '-',
    '\u200b',
    '。',
    'é',
    '\n',
  );
  const words = oneof(
    array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    string({ unit: 'binary' }),
  );
  assert(
    property(words, (written) => {
      const said = withoutLinks(written);
      expect(said).not.toMatch(/\w:\/\//);
      expect(said).not.toMatch(/[\p{L}\p{N}][.。．｡]\p{L}[\p{L}\p{N}-]/u);
      expect(withoutLinks(said)).toBe(said);
    }),
    { numRuns: 500 },
  );
});

test('a referral link contains the id of its referrer', () => {
  expect(referralLink('https://walks.example', 'a-b_1')).toBe('https://walks.example/?ref=a-b_1');
  expect(refIn(new URL(referralLink('https://walks.example', 'a-b_1')).search)).toBe('a-b_1');
  for (const search of ['', '?ref=', '?ref=a%20b', `?ref=${'x'.repeat(65)}`, '?reference=a'])
    expect(refIn(search)).toBeNull();
});
