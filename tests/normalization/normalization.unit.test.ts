import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText } from '#shared/normalization/cut-text.ts';
import { emailAddress, plainAddress } from '#shared/normalization/email-address.ts';
import { phoneNumber } from '#shared/normalization/phone-number.ts';
import { searchText, searchWords } from '#shared/normalization/search-text.ts';
import { typedCode } from '#shared/normalization/typed-code.ts';

const anyText = string({ unit: 'binary', maxLength: 60 });

describe('a search', () => {
  test.each([
    ['cafe', 'Café'],
    ['café', 'Cafe\u0301'],
    ['istanbul', 'İstanbul'],
    ['ISTANBUL', 'istanbul'],
    ['ısparta', 'Isparta'],
    ['important', 'IMPORTANT'],
    ['strasse', 'Straße'],
    ['lodz', 'Łódź'],
    ['malmo', 'Malmø'],
    ['αθηνας', 'ΑΘΗΝΑΣ'],
    ['paw', 'ｐａｗ'],
    ['paw-7k2m', 'PAW\u20117K2M'],
    ["o'neil", 'O’Neil'],
    ['rex', 'R\u00ade\u200bx'],
    ['서울', '서울'.normalize('NFD')],
    ['公園', '公園'],
  ])('for %s finds %s, and the other way round', (one, other) => {
    expect(searchText(other)).toBe(searchText(one));
  });

  test('compares words, of which punctuation is no part', () => {
    expect(searchWords('Zoë O’Neil, Café-Bar!')).toEqual(['zoe', 'o', 'neil', 'cafe', 'bar']);
  });
});

describe('a code', () => {
  test.each([
    ['paw-7k2m'],
    [' PAW-7K2M\u00a0'],
    ['PAW\u20117K2M'],
    ['PAW–7K2M'],
    ['PAW\u22127K2M'],
    ['ＰＡＷ－７Ｋ２Ｍ'],
    ['PAW-7K2M\u200b'],
    ['\u2066PAW-7K2M\u2069\ufeff'],
    ['PAW-\u00ad7K2M\ufe0f'],
  ])('typed as %j is PAW-7K2M', (typed) => expect(typedCode(typed)).toBe('PAW-7K2M'));

  test('is the same with composed and with decomposed letters', () => {
    expect(typedCode('caf\u00e9')).toBe('CAF\u00c9');
    expect(typedCode('cafe\u0301')).toBe('CAF\u00c9');
    expect(typedCode('cafe\u200d\u0301')).toBe('CAF\u00c9');
  });
});

describe('an email address', () => {
  test.each([
    ['a&b@example.com', 'a&b@example.com'],
    ['x/y=z@example.com', 'x/y=z@example.com'],
    ["o'neil+dogs@example.co.uk", "o'neil+dogs@example.co.uk"],
    ['Sam@Example.COM', 'sam@example.com'],
    [' sam@example.com\u200b', 'sam@example.com'],
    ['\u202asam@example.com\u202c', 'sam@example.com'],
    ['ｓａｍ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'sam@example.com'],
    ['sam@münchen.example', 'sam@xn--mnchen-3ya.example'],
    ['sam@mu\u0308nchen.example', 'sam@xn--mnchen-3ya.example'],
    ['sam@XN--MNCHEN-3YA.example', 'sam@xn--mnchen-3ya.example'],
    ['sam@例え.テスト', 'sam@xn--r8jz45g.xn--zckzah'],
  ])('accepts %j as %s', (typed, stored) => expect(emailAddress().parse(typed)).toBe(stored));

  test.each([
    'sam',
    'sam@',
    '@example.com',
    'sam@example',
    'sam@example..com',
    'sam..x@example.com',
    '.sam@example.com',
    'sam@-example.com',
    'sam@exa mple.com',
    'sam@münchen.example/x',
    'sam@example.com:25',
    'sam@[127.0.0.1]',
    'sam@1.2.3.4',
    'sam,max@example.com',
    'sam;max@example.com',
    'Sam <sam@example.com>',
    '"sam max"@example.com',
    'sam@example.com\nbcc: all@example.com',
    'säm@example.com',
    `${'x'.repeat(65)}@example.com`,
    `sam@${'example.'.repeat(40)}com`,
  ])('refuses %j', (typed) => expect(emailAddress().safeParse(typed).success).toBe(false));
});

describe('a phone number', () => {
  const number = phoneNumber(10, 15);
  test.each([
    ['+1 (212) 555-0123', '+12125550123'],
    ['212.555.0123', '2125550123'],
    ['212\u2011555\u20130123', '2125550123'],
    ['\u202a+1\u00a0212\u00a0555\u00a00123\u202c', '+12125550123'],
    ['＋１２１２５５５０１２３', '+12125550123'],
    ['212/555/0123', '2125550123'],
  ])('is read from %j', (typed, expected) => expect(number.parse(typed)).toBe(expected));

  test.each([
    '212-555-0123 x45',
    '2125550123 ext. 4',
    '2125550123#4',
    '2125550123,,4',
    '2125550123;ext=4',
  ])('with an extension is refused in words: %s', (typed) => {
    expect(number.safeParse(typed).error?.issues).toMatchObject([
      { message: 'We can’t text an extension. Please enter a mobile number.' },
    ]);
  });
});

describe('a cut text', () => {
  test.each([
    ['Walk 🐕‍🦺 now', 6, 'Walk '],
    ['Walk 🐕‍🦺 now', 10, 'Walk 🐕‍🦺'],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 12, '👨‍👩‍👧‍👦'],
    ['🇩🇪🇫🇷', 6, '🇩🇪'],
    ['Zoe\u0308', 3, 'Zo'],
    ['short', 10, 'short'],
    ['a\u0301\u0301\u0301\u0301', 3, 'a\u0301\u0301'],
  ])('%j cut at %i is %j', (text, max, expected) => expect(cutText(text, max)).toBe(expected));

  test('is not longer than wanted, begins the text, and has no half characters', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        for (const max of [1, 2, 3, 7, 20]) {
          const cut = cutText(text, max);
          expect(cut.length).toBeLessThanOrEqual(max);
          expect(text.startsWith(cut)).toBe(true);
          expect(cut.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

test.each([
  ['searchText', searchText],
  ['typedCode', typedCode],
  ['plainAddress', plainAddress],
])('%s changes nothing the second time', (_, normalize) => {
  assert(
    property(anyText, (text) => {
      const once = normalize(text);
      expect(normalize(once)).toBe(once);
    }),
    { numRuns: 3_000 },
  );
});
