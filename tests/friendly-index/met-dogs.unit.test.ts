import { expect, test } from 'vitest';
import { scoreOfNamed } from '../../client/features/friendly-index/dog-tier.tsx';

const dog = (dog_name: string, sound_type: 'leash_on' | 'leash_off', overall_score: number) => ({
  dog_id: `${dog_name} ${sound_type} ${overall_score}`,
  dog_name,
  tier: 'bronze' as const,
  sound_type,
  overall_score,
});
const rex = { name: 'Rex', sound_type: 'leash_on' } as const;

test('the score of a dog that is met is found by its name and type', () => {
  const scores = [
    dog('Bella', 'leash_on', 10),
    dog('Rex', 'leash_off', 20),
    dog('Rex', 'leash_on', 30),
  ];
  expect(scoreOfNamed(scores, rex)).toBe(30);
});

test('of two dogs with the same name and type, no score is shown unless it is the same', () => {
  expect(
    scoreOfNamed([dog('Rex', 'leash_on', 20), dog('Rex', 'leash_on', 30)], rex),
  ).toBeUndefined();
  expect(scoreOfNamed([dog('Rex', 'leash_on', 20), dog('Rex', 'leash_on', 20)], rex)).toBe(20);
  expect(scoreOfNamed([], rex)).toBeUndefined();
});
