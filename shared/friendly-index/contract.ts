import { z } from 'zod';
import { soundType } from '../dogs/contract.ts';
import { endpoint } from '../endpoint.ts';
import { tier } from './rules.ts';

const score = z.number().int().min(0).max(100);
const count = z.number().int().nonnegative();
/** Only for the owner; null for others. */
const ownCount = count.nullable();

export const dogFriendlyIndex = z.object({
  dog_name: z.string(),
  tier,
  overall_score: score,
  /** leash_off. It describes the dog and does not count. */
  is_friendly_type: z.boolean(),
  days_since_added: count,
  /** One a person and day, of those that count. */
  proximity_encounters: count,
  /** The dogs of the people who were met. */
  unique_dogs_encountered: count,
  /** The number of encounters in which the other person approached. */
  incoming_encounters: count,
  unique_visitors: count,
  dog_sociability_score: score,
  owner_community_score: score,
  safety_score: score,
  owner_name: z.string(),
  owner_friends: ownCount,
  owner_days_active: count,
  reports_received: ownCount,
  blocks_received: ownCount,
});
export type DogFriendlyIndex = z.infer<typeof dogFriendlyIndex>;

export const ownerFriendlyIndex = z.object({
  tier,
  overall_score: score,
  total_dogs: count,
  /** leash_off. */
  friendly_dogs: count,
  /** leash_on. */
  cautious_dogs: count,
  average_dog_score: score,
  best_dog_score: score,
  dog_scores: z.array(
    z.object({
      dog_id: z.string(),
      dog_name: z.string(),
      tier,
      sound_type: soundType,
      overall_score: score,
    }),
  ),
  total_encounters: count,
  /** People who became friends, or were met on more than one day. */
  positive_interactions: count,
  /** People who were met or became friends. */
  total_interactions: count,
  sociability_score: score,
  community_score: score,
  safety_score: score,
  owner_friends: ownCount,
  owner_days_active: count,
  reports_received: ownCount,
  blocks_received: ownCount,
});
export type OwnerFriendlyIndex = z.infer<typeof ownerFriendlyIndex>;

const id = z.string().min(1).max(64);

/**
 * A dog whose owner blocked the caller is not found. Ids of dogs are made by devices, so that two owners may have the
 * same one: then whose dog is meant must be said.
 */
export const getDogFriendlyIndex = endpoint('GET', '/dogs/:id/friendly-index', {
  access: 'member',
  params: z.object({ id }),
  query: z.object({ owner_user_id: id.optional() }),
  answer: dogFriendlyIndex,
  failure: 'Failed to load friendly index',
});

/** A user who blocked the caller is not found. */
export const getUserFriendlyIndex = endpoint('GET', '/users/:id/friendly-index', {
  access: 'member',
  params: z.object({ id }),
  answer: ownerFriendlyIndex,
  failure: 'Failed to load friendly index',
});
