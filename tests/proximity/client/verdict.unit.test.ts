import { describe, expect, test } from 'vitest';
import { soundOf, verdictOf } from '../../../client/features/proximity/alerts/verdict.ts';

const dog = (name: string, sound_type: 'leash_on' | 'leash_off') => ({
  name,
  sound_type,
  image_key: null,
});
const rex = dog('Rex', 'leash_on');
const max = dog('Max', 'leash_on');
const lola = dog('Lola', 'leash_off');
const ada = dog('Ada', 'leash_off');
const nameless = (type: 'leash_on' | 'leash_off') => dog('', type);

const PLACE = 'Elm Park';
const PLAY = 'Off-leash play is welcome.';

/** Their dogs, the owner's dogs that need space, a place that requires leashes; urgency and words. */
const CASES = [
  [[rex], [], null, true, 'Rex needs space. Leash your dog and give Rex room.'],
  [[rex], [], PLACE, true, 'Rex needs space. Leash your dog and give Rex room.'],
  [[rex], ['Ivy'], null, true, 'Rex needs space. Leash your dog and give Rex room.'],
  [[rex], ['Ivy'], PLACE, true, 'Rex needs space. Leash your dog and give Rex room.'],
  [[rex, max], [], null, true, 'Rex and Max need space. Leash your dog and give them room.'],
  [[rex, max], ['Ivy'], PLACE, true, 'Rex and Max need space. Leash your dog and give them room.'],
  [[lola, rex], [], null, true, 'Rex needs space. Leash your dog and give Rex room.'],
  [[lola, rex], [], PLACE, true, 'Rex needs space. Leash your dog and give Rex room.'],
  [[lola, rex], ['Ivy'], null, true, 'Rex needs space. Leash your dog and give Rex room.'],
  [[lola], [], null, false, `Lola is friendly. ${PLAY}`],
  [[lola], [], PLACE, false, 'Lola is friendly. Leashes are required at Elm Park.'],
  [[lola], ['Ivy'], null, true, 'Lola may be off leash. Give your dog room.'],
  [[lola], ['Ivy'], PLACE, true, 'Lola may be off leash. Give your dog room.'],
  [[lola], ['Ivy', 'Leo'], null, true, 'Lola may be off leash. Give your dogs room.'],
  [[lola, ada], [], null, false, `Lola and Ada are friendly. ${PLAY}`],
  [[lola, ada], [], PLACE, false, 'Lola and Ada are friendly. Leashes are required at Elm Park.'],
  [[lola, ada], ['Ivy'], null, true, 'Lola and Ada may be off leash. Give your dog room.'],
] as const;

test.each(CASES)('the verdict on %j for an owner of %j at %j', (dogs, wary, leashPlace, ...is) => {
  const { isUrgent, names, verdict, advice } = verdictOf(dogs, { wary, leashPlace });
  expect([isUrgent, `${names} ${verdict}. ${advice}`]).toEqual(is);
});

test.each(CASES)('play with %j is suggested only if no one needs space or a leash', (...of) => {
  const [dogs, wary, leashPlace] = of;
  const isAllowed =
    wary.length === 0 && leashPlace === null && dogs.every((one) => one.sound_type === 'leash_off');
  expect(verdictOf(dogs, { wary, leashPlace }).advice === PLAY).toBe(isAllowed);
});

describe('one of several dogs', () => {
  const calm = { wary: [], leashPlace: null };

  test('a friendly dog beside one that needs space does not invite to play', () => {
    expect(verdictOf([lola], calm, [lola, rex])).toEqual({
      isUrgent: false,
      names: 'Lola',
      verdict: 'is friendly',
      advice: 'Leash your dog and give Rex room.',
      notes: '',
    });
    expect(verdictOf([lola], calm, [lola, rex, max]).advice).toBe(
      'Leash your dog and give them room.',
    );
  });

  test('a friendly dog is urgent for an owner whose dog needs space, whatever is beside it', () => {
    const own = { wary: ['Ivy'], leashPlace: null };
    expect(verdictOf([lola], own, [lola, rex])).toMatchObject({
      isUrgent: true,
      verdict: 'may be off leash',
    });
  });
});

test('anonymous dogs have a verdict without names', () => {
  const calm = { wary: [], leashPlace: null };
  const words = (dogs: (typeof rex)[]) => {
    const { names, verdict, advice } = verdictOf(dogs, calm);
    return `${names} ${verdict}. ${advice}`;
  };
  expect(words([nameless('leash_on')])).toBe('A dog needs space. Leash your dog and give it room.');
  expect(words([nameless('leash_on'), nameless('leash_on')])).toBe(
    '2 dogs need space. Leash your dog and give them room.',
  );
});

test('an urgent verdict sounds like a dog that needs space', () => {
  expect(soundOf({ isUrgent: true })).toBe('leash_on');
  expect(soundOf({ isUrgent: false })).toBe('leash_off');
});

test('the notes on the dogs that matter are part of the verdict', () => {
  const calm = { wary: [], leashPlace: null };
  const deaf = { ...rex, notes: ['fearful_of_men' as const, 'deaf' as const] };
  const puppy = { ...max, notes: ['puppy' as const] };
  expect(verdictOf([deaf, { ...lola, notes: ['puppy'] }], calm).notes).toBe('Fearful of men, deaf');
  expect(verdictOf([deaf, puppy], calm).notes).toBe('Rex: fearful of men, deaf. Max: puppy');
  expect(verdictOf([rex, puppy], calm).notes).toBe('Max: puppy');
});
