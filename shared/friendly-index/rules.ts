import { z } from 'zod';

export const tier = z.enum(['bronze', 'silver', 'gold', 'platinum', 'diamond']);
export type Tier = z.infer<typeof tier>;

interface TierRule {
  tier: Tier;
  /** The least score that is in it. */
  minimum: number;
  dogName: string;
  ownerName: string;
}

/** Lowest first. */
const TIERS: readonly TierRule[] = [
  { tier: 'bronze', minimum: 0, dogName: 'New Park Visitor', ownerName: 'New Dog Parent' },
  {
    tier: 'silver',
    minimum: 25,
    dogName: 'Well-Behaved Companion',
    ownerName: 'Good Dog Parent',
  },
  { tier: 'gold', minimum: 50, dogName: 'Friendly Park Regular', ownerName: 'Great Dog Parent' },
  {
    tier: 'platinum',
    minimum: 75,
    dogName: 'Social Butterfly Pup',
    ownerName: 'Exceptional Dog Parent',
  },
  { tier: 'diamond', minimum: 90, dogName: 'Alpha Pack Leader', ownerName: 'Elite Dog Parent' },
];

const [LOWEST] = TIERS as [TierRule];

const ruleOf = (score: number): TierRule =>
  TIERS.findLast(({ minimum }) => score >= minimum) ?? LOWEST;

/** @param score 0 to 100 */
export const tierOf = (score: number): Tier => ruleOf(score).tier;

/** Returns the label of a dog's or owner's score. */
export const tierName = (score: number, whose: 'dog' | 'owner'): string => {
  const { dogName, ownerName } = ruleOf(score);
  return whose === 'dog' ? dogName : ownerName;
};

/** The tier after that of a score, with its least score; null at the highest. */
export const nextTier = (score: number): TierRule | null =>
  TIERS[TIERS.indexOf(ruleOf(score)) + 1] ?? null;

/** The points of a whole bar. */
export const TIER_STEP = 25;

/** Returns the progress of a score to the next tier, in percent; 100 at the highest. */
export const progressPercent = (score: number): number =>
  nextTier(score) ? ((score % TIER_STEP) / TIER_STEP) * 100 : 100;

export const STARS_MAX = 5;
export const POINTS_PER_STAR = 20;

/** Whole stars of STARS_MAX. */
export const stars = (score: number): number => Math.floor(score / POINTS_PER_STAR);
