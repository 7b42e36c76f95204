import { assert, nat, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invitationStatus, nameWords } from '#shared/invitations/rules.ts';

describe('the words of a name', () => {
  test.each([
    ['Alex', ['alex']],
    ['Mary-Jane  WATSON', ['mary', 'jane', 'watson']],
    ['Zoë O’Neil', ['zoe', 'o', 'neil']],
    ['Łukasz (and Rex)', ['lukasz', 'and', 'rex']],
    ['李 小龙', ['李', '小龙']],
    ['Rex rex REX', ['rex']],
    ['🐕 !!', []],
    ['', []],
  ])('splits %o into the words %o', (name, words) => expect(nameWords(name)).toEqual(words));

  test('every prefix of a name matches its words', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 60 }), nat(60), (name, end) => {
        const words = nameWords(name);
        for (const word of nameWords(words.join(' ').slice(0, end)))
          expect(words.some((each) => each.startsWith(word))).toBe(true);
      }),
    );
  });
});

describe('the status of an invitation', () => {
  const at = Date.parse('2026-11-21T12:00:00.000Z');
  const until = (expires_at: string, is_used = false) =>
    invitationStatus({ is_used, expires_at }, at);

  test('a used invitation is Used, even after it expires', () => {
    expect(until('2026-11-22T12:00:00.000Z', true)).toBe('Used');
    expect(until('2026-11-20T12:00:00.000Z', true)).toBe('Used');
  });

  test('an invitation is Expired from its end time on, and Active before', () => {
    expect(until('2026-11-21T12:00:00.000Z')).toBe('Expired');
    expect(until('2026-11-21T12:00:00.001Z')).toBe('Active');
  });
});
