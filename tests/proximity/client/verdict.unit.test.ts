import { describe, expect, test } from 'vitest';
import type { DogNote } from '#shared/dogs/contract.ts';
import type { NearbyDog } from '../../../client/features/proximity/alerts/alert-text.ts';
import {
  answeredAdvice,
  soundOf,
  verdictOf,
} from '../../../client/features/proximity/alerts/verdict.ts';

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
const PLAY = 'Off-leash play is welcome where it’s allowed.';

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
  const { isUrgent, names, verdict, advice } = verdictOf(dogs, { wary, notes: [], leashPlace });
  expect([isUrgent, `${names} ${verdict}. ${advice}`]).toEqual(is);
});

test.each(CASES)('play with %j is suggested only if no one needs space or a leash', (...of) => {
  const [dogs, wary, leashPlace] = of;
  const isAllowed =
    wary.length === 0 && leashPlace === null && dogs.every((one) => one.sound_type === 'leash_off');
  expect(verdictOf(dogs, { wary, notes: [], leashPlace }).advice === PLAY).toBe(isAllowed);
});

describe('one of several dogs', () => {
  const calm = { wary: [], notes: [], leashPlace: null };

  test('a friendly dog beside one that needs space does not invite to play', () => {
    expect(verdictOf([lola], calm, [lola, rex])).toEqual({
      isUrgent: false,
      names: 'Lola',
      brief: 'Lola',
      verdict: 'is friendly',
      advice: 'Leash your dog and give Rex room.',
      notes: '',
    });
    expect(verdictOf([lola], calm, [lola, rex, max]).advice).toBe(
      'Leash your dog and give them room.',
    );
  });

  test('a friendly dog is urgent for an owner whose dog needs space, whatever is beside it', () => {
    const own = { wary: ['Ivy'], notes: [], leashPlace: null };
    expect(verdictOf([lola], own, [lola, rex])).toMatchObject({
      isUrgent: true,
      verdict: 'may be off leash',
    });
  });
});

test('anonymous dogs have a verdict without names', () => {
  const calm = { wary: [], notes: [], leashPlace: null };
  const words = (dogs: (typeof rex)[]) => {
    const { names, verdict, advice } = verdictOf(dogs, calm);
    return `${names} ${verdict}. ${advice}`;
  };
  expect(words([nameless('leash_on')])).toBe('A dog needs space. Leash your dog and give it room.');
  expect(words([nameless('leash_on'), nameless('leash_on')])).toBe(
    '2 dogs need space. Leash your dog and give them room.',
  );
});

test('several dogs are counted where their names don’t fit', () => {
  const own = { wary: ['Ivy'], notes: [], leashPlace: null };
  expect(verdictOf([lola, ada], own)).toMatchObject({
    names: 'Lola and Ada',
    brief: '2 dogs',
    verdict: 'may be off leash',
  });
});

test.each([
  [null, null, null],
  [null, 'crossing', null],
  ['hello', 'waiting', null],
  ['crossing', null, 'Stay on your side.'],
  ['crossing', 'waiting', 'Stay on your side.'],
  ['crossing', 'crossing', 'You both cross: one of you should stay.'],
  ['waiting', null, 'Pass with plenty of room.'],
  ['waiting', 'crossing', 'They wait while you cross.'],
  ['waiting', 'waiting', 'You both wait: one of you can go.'],
] as const)('after %s from the other one and %s from the owner, the advice is %s', (...said) => {
  const [theirs, own, advice] = said;
  expect(answeredAdvice({ theirs, own })).toBe(advice);
});

test('an urgent verdict sounds like a dog that needs space', () => {
  expect(soundOf({ isUrgent: true })).toBe('leash_on');
  expect(soundOf({ isUrgent: false })).toBe('leash_off');
});

test('the notes on the dogs that matter are part of the verdict', () => {
  const calm = { wary: [], notes: [], leashPlace: null };
  const deaf = { ...rex, notes: ['fearful_of_men' as const, 'deaf' as const] };
  const puppy = { ...max, notes: ['puppy' as const] };
  expect(verdictOf([deaf, { ...lola, notes: ['puppy'] }], calm).notes).toBe('Fearful of men, deaf');
  expect(verdictOf([deaf, puppy], calm).notes).toBe('Rex: fearful of men, deaf. Max: puppy');
  expect(verdictOf([rex, puppy], calm).notes).toBe('Max: puppy');
});

const withNotes = (one: typeof lola, ...notes: DogNote[]) => ({ ...one, notes });
const onLeash = withNotes(lola, 'friendly_on_leash');
const GREETED: [NearbyDog[], string[], DogNote[], boolean, string][] = [
  [[onLeash], [], [], false, 'Lola is friendly on leash.  Say hello on the leash.'],
  [
    [onLeash, ada],
    [],
    [],
    false,
    'Lola and Ada are friendly. Lola: friendly on leash. Say hello on the leash.',
  ],
  [[lola], [], ['friendly_on_leash'], false, 'Lola is friendly.  Say hello on the leash.'],
  [[onLeash], ['Ivy'], [], true, 'Lola is friendly on leash.  Give your dog room.'],
  [
    [withNotes(lola, 'in_training')],
    [],
    [],
    false,
    'Lola is friendly. In training. Ask before they meet.',
  ],
  [
    [withNotes(lola, 'blind', 'deaf')],
    [],
    [],
    false,
    'Lola is friendly. Blind, deaf. Let them meet slowly, on the leash.',
  ],
  [
    [withNotes(onLeash, 'friendly_on_leash', 'in_heat')],
    [],
    [],
    false,
    'Lola is friendly on leash. In heat. Leash your dog and keep them apart.',
  ],
  [[withNotes(lola, 'puppy')], [], [], false, `Lola is friendly. Puppy. ${PLAY}`],
];

test.each(GREETED)(
  'how %j meet an owner whose dogs %j need space and have the notes %j',
  (dogs, wary, notes, ...is) => {
    const said = verdictOf(dogs, { wary, notes, leashPlace: null });
    const [noted, sentence] = [said.notes && `${said.notes}.`, `${said.names} ${said.verdict}.`];
    expect([said.isUrgent, `${sentence} ${noted} ${said.advice}`]).toEqual(is);
  },
);
