import { expect, test } from 'vitest';
import { skeletonOf } from '#shared/normalization/name-skeleton.ts';
import { isReservedName } from '#shared/profile/reserved-names.ts';

test.each([
  'Leashwise Admin',
  'Leashwise',
  'L\u0435ashwise',
  'leash wise',
  'Leashvvise Help',
  'LEA5HWISE',
  'Moderator',
  'rnoderator Sam',
  'Adm1n',
  'Admln',
  '\u0410dmin',
  '@dmin',
  'A d m i n',
  'Ádmin',
  'Admin-Team',
  'ＡＤＭＩＮ',
  '𝐀𝐝𝐦𝐢𝐧',
  'Aclmin',
  'Official',
  'Support',
  'Mods',
  'Official Support',
  'The Security Team',
  'Trust and Safety',
  'Mod',
])('%j is reserved', (name) => expect(isReservedName(name, 'Leashwise')).toBe(true));

test.each([
  'Alex',
  'Sam Staff',
  'Trust',
  'Badminton Bob',
  'Modesty',
  'Madmin',
  'Leash',
  'Wise Owl',
  'Администр Иванов',
  'Admiraal',
  '李 小龍',
  '👩‍👩‍👧',
  'Theo',
  'Marcia',
  'Clement',
  '',
])('%j is not reserved', (name) => expect(isReservedName(name, 'Leashwise')).toBe(false));

test('a short name of a product is reserved only as a whole', () => {
  expect(isReservedName('Dog', 'Dog')).toBe(true);
  expect(isReservedName('Doggett', 'Dog')).toBe(false);
});

test.each([
  ['Alex', '\u0410lex'],
  ['Alex', 'AIex'],
  ['Alex', 'alex '],
  ['Zoë O’Neil', 'Zoe ONeil'],
  ['Marnie', 'Mamie'],
  ['Bill 1', 'Biil I'],
])('%j looks like %j', (name, other) => expect(skeletonOf(other)).toBe(skeletonOf(name)));

test.each([
  ['Alex', 'Alexa'],
  ['Anna', 'Иван'],
  ['👩', '🐶'],
])('%j does not look like %j', (name, other) =>
  expect(skeletonOf(other) !== skeletonOf(name) || skeletonOf(name) === '').toBe(true),
);
