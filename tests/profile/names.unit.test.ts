import { expect, test } from 'vitest';
import { dogFields } from '#shared/dogs/contract.ts';
import { plainName } from '#shared/invisible-characters.ts';
import { profileFields } from '#shared/profile/contract.ts';
import { readCard } from '#shared/profile/document.ts';

/** Right-to-left override, zero-width space, Hangul filler, Braille blank, a joiner, variation selector. */
const NOTHING = ['\u202e', '\u200b', '\u3164', '\u2800', '\u200d', '\ufe0f', ' \u00ad\ufeff\n'];

test.each(NOTHING)('treats a name without visible characters as empty: %j', (name) => {
  expect(plainName(name)).toBe('');
  const profile = { display_name: name, is_location_sharing_enabled: true };
  expect(profileFields.safeParse(profile).error?.issues[0]?.message).toBe('Required');
  expect(dogFields.safeParse({ name, sound_type: 'leash_on' }).success).toBe(false);
});

test('reading a card removes control characters from names', () => {
  const dog = { name: 'Rex\u202e', sound_type: 'leash_on', created_at: '2026-11-21T12:00:00.000Z' };
  const card = readCard({
    display_name: '\u202eAlex\n\u200b  was\there\u2066',
    dogs: { rex: dog, unseen: { ...dog, name: '\u200b' } },
  });
  expect(card.display_name).toBe('Alex was here');
  expect(card.dogs.map(({ name }) => name)).toEqual(['Rex']);
});

test.each(['Zoë O’Neil', 'علی‌رضا', '👩‍👩‍👧 Kim', '李 小龍', 'Ångström-Ñ 2'])(
  'leaves names of any script unchanged: %s',
  (name) => expect(plainName(name)).toBe(name),
);
