import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextTier,
  progressPercent,
  stars,
  STARS_MAX,
  tierName,
  tierOf,
} from '#shared/friendly-index/rules.ts';

describe('tiers of the friendly index', () => {
  test.each([
    [0, 'bronze', 'New Park Visitor', 'New Dog Parent'],
    [24, 'bronze', 'New Park Visitor', 'New Dog Parent'],
    [25, 'silver', 'Well-Behaved Companion', 'Good Dog Parent'],
    [49, 'silver', 'Well-Behaved Companion', 'Good Dog Parent'],
    [50, 'gold', 'Friendly Park Regular', 'Great Dog Parent'],
    [74, 'gold', 'Friendly Park Regular', 'Great Dog Parent'],
    [75, 'platinum', 'Social Butterfly Pup', 'Exceptional Dog Parent'],
    [89, 'platinum', 'Social Butterfly Pup', 'Exceptional Dog Parent'],
    [90, 'diamond', 'Alpha Pack Leader', 'Elite Dog Parent'],
    [100, 'diamond', 'Alpha Pack Leader', 'Elite Dog Parent'],
  ])('a score of %i is %s with both tier names', (score, tier, dog, owner) => {
    expect(tierOf(score)).toBe(tier);
    expect(tierName(score, 'dog')).toBe(dog);
    expect(tierName(score, 'owner')).toBe(owner);
  });

  test.each([
    [0, 'silver', 0],
    [24, 'silver', 96],
    [25, 'gold', 0],
    [30, 'gold', 20],
    [74, 'platinum', 96],
    [75, 'diamond', 0],
    [85, 'diamond', 40],
    [90, undefined, 100],
    [100, undefined, 100],
  ])('the tier after a score of %i is %s, reached to %i percent', (score, next, percent) => {
    expect(nextTier(score)?.tier).toBe(next);
    expect(progressPercent(score)).toBe(percent);
  });

  test('progress is a percentage for any score', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (score) => {
        expect(progressPercent(score)).toBeGreaterThanOrEqual(0);
        expect(progressPercent(score)).toBeLessThanOrEqual(100);
        expect(nextTier(score)?.minimum ?? 101).toBeGreaterThan(score);
      }),
    );
  });
});

test.each([
  [0, 0],
  [19, 0],
  [20, 1],
  [59, 2],
  [99, 4],
  [100, STARS_MAX],
])('%i points are %i of five stars', (score, count) => {
  expect(stars(score)).toBe(count);
});
