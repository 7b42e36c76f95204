import type { Dog } from '#shared/dogs/contract.ts';
import type { DogFriendlyIndex, OwnerFriendlyIndex } from '#shared/friendly-index/contract.ts';
import { tierOf } from '#shared/friendly-index/rules.ts';
import {
  dayOf,
  factsOfDog,
  overallScore,
  partsOf,
  peopleMet,
  type Acquaintance,
  type Facts,
  type Parts,
} from '#shared/friendly-index/scores.ts';
import type { CardRow } from '#shared/server/collections.ts';

/** The owner of an index, with its inputs. */
export interface Subject {
  card: CardRow;
  facts: Facts;
  /** Day numbers: when the owner joined, and today; for others, the last Monday, so that they don't see on which days somebody walks. */
  joined: number;
  today: number;
  /** Whether the owner asks. */
  isOwn: boolean;
}

const total = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

const friendsOf = ({ people, unmetFriends }: Facts): number =>
  people.filter(({ isFriend }) => isFriend).length + unmetFriends.length;

/** The owner’s numbers in every index. Reports and blocks are visible only to the owner. */
function ownerFigures({ facts, joined, today, isOwn }: Subject) {
  return {
    owner_friends: isOwn ? friendsOf(facts) : null,
    owner_days_active: Math.max(0, today - joined),
    reports_received: isOwn ? facts.reports : null,
    blocks_received: isOwn ? facts.blocks : null,
  };
}

const encounters = (met: readonly Acquaintance[]): number => total(met, ({ days }) => days.length);

/**
 * Returns the day a dog was added, as its device says, but not before its owner joined or in the future.
 */
function addedOn(dog: Dog, { joined, today }: Subject): number {
  const added = dayOf(Date.parse(dog.created_at));
  return Number.isNaN(added) ? today : Math.min(today, Math.max(joined, added));
}

const dogParts = (subject: Subject, dog: Dog): Parts =>
  partsOf(factsOfDog(subject.facts, dog.id), addedOn(dog, subject), subject.joined, subject.today);

/** Returns a dog’s index with its parts. */
export function presentDog(subject: Subject, dog: Dog): DogFriendlyIndex {
  const { card, facts, today } = subject;
  const added = addedOn(dog, subject);
  const met = peopleMet(factsOfDog(facts, dog.id), added, today);
  const visitors = met.filter(({ came }) => came.length > 0);
  const parts = dogParts(subject, dog);
  const overall_score = overallScore(parts);
  return {
    dog_name: dog.name,
    tier: tierOf(overall_score),
    overall_score,
    is_friendly_type: dog.sound_type === 'leash_off',
    days_since_added: today - added,
    proximity_encounters: encounters(met),
    unique_dogs_encountered: total(met, ({ dogs }) => dogs),
    incoming_encounters: total(visitors, ({ came }) => came.length),
    unique_visitors: visitors.length,
    dog_sociability_score: parts.sociability,
    owner_community_score: parts.community,
    safety_score: parts.safety,
    owner_name: card.display_name,
    ...ownerFigures(subject),
  };
}

/** Returns an owner’s index with its parts and the dogs’ scores. */
export function presentOwner(subject: Subject): OwnerFriendlyIndex {
  const { card, facts, joined, today } = subject;
  const parts = partsOf(facts, joined, joined, today);
  const overall_score = overallScore(parts);
  const dog_scores = card.dogs.map((dog) => {
    const score = overallScore(dogParts(subject, dog));
    return {
      dog_id: dog.id,
      dog_name: dog.name,
      tier: tierOf(score),
      sound_type: dog.sound_type,
      overall_score: score,
    };
  });
  const scores = dog_scores.map((dog) => dog.overall_score);
  const met = peopleMet(facts, joined, today);
  const strangers = met.filter(({ isFriend }) => !isFriend);
  const friends = friendsOf(facts);
  return {
    tier: tierOf(overall_score),
    overall_score,
    total_dogs: card.dogs.length,
    friendly_dogs: card.dogs.filter(({ sound_type }) => sound_type === 'leash_off').length,
    cautious_dogs: card.dogs.filter(({ sound_type }) => sound_type === 'leash_on').length,
    average_dog_score: scores.length === 0 ? 0 : Math.round(total(scores, Number) / scores.length),
    best_dog_score: Math.max(0, ...scores),
    dog_scores,
    total_encounters: encounters(met),
    positive_interactions: friends + strangers.filter(({ days }) => days.length > 1).length,
    total_interactions: friends + strangers.length,
    sociability_score: parts.sociability,
    community_score: parts.community,
    safety_score: parts.safety,
    ...ownerFigures(subject),
  };
}
