import type { DogFriendlyIndex, OwnerFriendlyIndex } from '#shared/friendly-index/contract.ts';
import { POINTS_PER_STAR, STARS_MAX, type Tier } from '#shared/friendly-index/rules.ts';
import {
  BLOCKS_ALLOWED,
  DAYS_A_PERSON,
  FRIEND_POINTS,
  FULL_ACCOUNT_DAYS,
  PERSON_POINTS,
  REPORT_POINTS,
  SAFETY_DAYS,
  TENTHS,
  TIME_DAYS,
  TIME_POINTS,
  type Part,
} from '#shared/friendly-index/scores.ts';

export const TIER_WORDS: Record<Tier, string> = {
  bronze: 'Bronze',
  silver: 'Silver',
  gold: 'Gold',
  platinum: 'Platinum',
  diamond: 'Diamond',
};

/** How stars are earned, in one line. */
export const STAR_RULE = `One star for every ${POINTS_PER_STAR} points, up to ${STARS_MAX}.`;

/** Formats a count, such as '1 dog' or '2 dogs'. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Converts points of a component to points of the overall score, to a tenth. */
const share = (part: Part, points: number): number => Math.round(TENTHS[part] * points) / 10;

/** Formats the result of `share`. */
const overall = (part: Part, points: number): string => counted(share(part, points), 'point');

export interface ScoreComponent {
  name: Part;
  title: string;
  /** Points of the overall score, reached and possible. */
  points: string;
  /** 0 to 100. */
  score: number;
  /** What the score is based on. */
  because: string;
  /** What raises it next, in a few words. */
  next: string;
  /** How it is counted. */
  advice: string;
}

type Metrics = Pick<OwnerFriendlyIndex, 'owner_friends' | 'owner_days_active' | 'reports_received'>;

const component = (
  name: Part,
  {
    title,
    score,
    because,
    next,
    advice,
  }: { title: string; score: number; because: string; next: string; advice: string },
): ScoreComponent => ({
  name,
  title,
  points: `${Math.round(share(name, score))} of ${TENTHS[name] * 10} points`,
  score,
  because,
  next,
  advice,
});

const sociability = (score: number, encounters: number) =>
  component('sociability', {
    title: 'Meetings',
    score,
    because: `${counted(encounters, 'meeting')} in the last year, counting each person once a day.`,
    next: 'Walk where others walk: each new person you pass counts.',
    advice: `Every new person adds up to ${overall('sociability', PERSON_POINTS)}: part of it at the first meeting, the rest by ${DAYS_A_PERSON} different days. Passing at a distance counts as much as stopping, so dogs that need space aren’t at a disadvantage. Accounts younger than ${FULL_ACCOUNT_DAYS} days count less.`,
  });

function community(score: number, { owner_friends, owner_days_active }: Metrics): ScoreComponent {
  const friends = owner_friends === null ? '' : `${counted(owner_friends, 'friend')}. `;
  const time = owner_days_active > 0 ? `for ${counted(owner_days_active, 'day')}` : 'since today';
  return component('community', {
    title: 'Community',
    score,
    because: `${friends}Member ${time}.`,
    next: 'Add people you’ve met as friends.',
    advice: `Every friend adds up to ${overall('community', FRIEND_POINTS)}, or half of that until you’ve met on a walk. Being a member adds ${overall('community', TIME_POINTS)} in ${TIME_DAYS} days.`,
  });
}

/** Without the number of blocks: it would tell whoever has just argued with somebody that they were blocked. */
function safety(score: number, { reports_received }: Metrics): ScoreComponent {
  return component('safety', {
    title: 'Safety',
    score,
    because:
      reports_received === null
        ? 'Time without complaints.'
        : `${counted(reports_received, 'report')} confirmed.`,
    next: 'Nothing to do: it grows with time.',
    advice: `It reaches the maximum after ${SAFETY_DAYS} days without complaints. A report that moderators confirm costs ${overall('safety', REPORT_POINTS)}. Being blocked by up to ${BLOCKS_ALLOWED} people has no effect.`,
  });
}

/** The three components of an owner's score. */
export const ownerComponents = (index: OwnerFriendlyIndex): ScoreComponent[] => [
  sociability(index.sociability_score, index.total_encounters),
  community(index.community_score, index),
  safety(index.safety_score, index),
];

/** The three components of a dog's score. */
export const dogComponents = (index: DogFriendlyIndex): ScoreComponent[] => [
  sociability(index.dog_sociability_score, index.proximity_encounters),
  community(index.owner_community_score, index),
  safety(index.safety_score, index),
];

/** An owner's dogs by kind. */
export function dogsWords({
  total_dogs,
  friendly_dogs,
  cautious_dogs,
}: Pick<OwnerFriendlyIndex, 'total_dogs' | 'friendly_dogs' | 'cautious_dogs'>): string {
  const kinds = [
    friendly_dogs > 0 && `${friendly_dogs} friendly`,
    cautious_dogs > 0 && `${cautious_dogs} ${cautious_dogs === 1 ? 'needs' : 'need'} space`,
  ].filter((words) => words !== false);
  return total_dogs === 0 ? 'None yet' : `${total_dogs} (${kinds.join(', ')})`;
}

/** Further metrics of an owner's walks. */
export const ownerMetrics = (index: OwnerFriendlyIndex): [name: string, value: string][] => [
  ['People you know', String(index.total_interactions)],
  ['Met again or befriended', String(index.positive_interactions)],
  ['Dogs', dogsWords(index)],
  ['Best dog', String(index.best_dog_score)],
  ['Your dogs on average', String(index.average_dog_score)],
];

/** Further metrics of a dog's walks. */
export const dogMetrics = (index: DogFriendlyIndex): [name: string, value: string][] => [
  ['Owner', index.owner_name],
  [
    'Added',
    index.days_since_added === 0 ? 'today' : `${counted(index.days_since_added, 'day')} ago`,
  ],
  ['Dogs met', String(index.unique_dogs_encountered)],
  ['Approached by others', counted(index.incoming_encounters, 'time')],
  ['Visitors', counted(index.unique_visitors, 'person', 'people')],
];
