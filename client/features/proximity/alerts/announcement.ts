import { capitalized } from '#shared/capitalized.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { Units } from '#shared/units.ts';
import { courseWords, distanceWords, listed, type NearbyDog } from './alert-text.ts';
import { type OwnSide, type Verdict, verdictOf } from './verdict.ts';

export interface Announcement {
  /** Title of the notification. */
  title: string;
  /** Its text. */
  body: string;
  /** What is spoken. */
  speech: string;
}

type Somebody = Pick<NearbyUser, 'display_name' | 'distance_feet' | 'side' | 'closest_in_seconds'>;
const titleOf = ({ isUrgent, names, verdict }: Verdict): string =>
  `${isUrgent ? 'HIGH: ' : ''}${names} ${verdict}`;

/** Returns how far away somebody is and, if known, where and when. */
function placeWords(somebody: Somebody, units: Units): string {
  const course = courseWords(somebody);
  const words = distanceWords(somebody.distance_feet, units);
  return course === '' ? words : `${words}, ${course}`;
}

/** Returns where a person is, as a sentence; someone anonymous has no name. */
function whereIs(somebody: Somebody, units: Units): string {
  const { display_name } = somebody;
  const words = placeWords(somebody, units);
  return `${capitalized(display_name === '' ? words : `${display_name} is ${words}`)}.`;
}

/** Returns the texts of an alert: which dog, who, how far, what to do. */
export function announce(user: Somebody, words: Verdict, units: Units): Announcement {
  const notes = words.notes === '' ? '' : `${words.notes}. `;
  const body = `${notes}${whereIs(user, units)} ${words.advice}`;
  return { title: titleOf(words), body, speech: `${words.names} ${words.verdict}. ${body}` };
}

/** Returns the texts of a quiet notification about somebody without dogs. Nothing is spoken. */
export function announceQuietly(
  { display_name, distance_feet }: Somebody,
  units: Units,
): Pick<Announcement, 'title' | 'body'> {
  const distance = capitalized(distanceWords(distance_feet, units));
  return { title: `${display_name} is near`, body: `${distance}, without a dog.` };
}

/** Returns the texts of an alert that was given before: the person has come closer. */
export function announceCloser(somebody: Somebody, words: Verdict, units: Units): Announcement {
  const distance = `now ${placeWords(somebody, units)}.`;
  return {
    title: titleOf(words),
    body: `${capitalized(distance)} ${words.advice}`,
    speech: `${words.names} ${words.verdict}, ${distance}`,
  };
}

const needsSpace = ({ sound_type }: NearbyDog) => sound_type === 'leash_on';

/** Returns what is spoken of several dogs at once: which dogs, who is how far away, what to do. Names come first. */
export function announceTogether(
  sightings: readonly { user: NearbyUser; dog: NearbyDog | null }[],
  own: OwnSide,
  units: Units,
): string {
  const closer = new Set(sightings.flatMap(({ user, dog }) => (dog ? [] : [user.user_id])));
  const dogs = sightings.flatMap(({ user, dog }) => {
    if (dog) return closer.has(user.user_id) ? [] : [dog];
    return user.dogs.some(needsSpace) ? user.dogs.filter(needsSpace) : user.dogs;
  });
  const people = new Map(sightings.map(({ user }) => [user.user_id, user]));
  const everyone = Array.from(people.values(), (user) => user.dogs).flat();
  const verdicts = [dogs.filter(needsSpace), dogs.filter((dog) => !needsSpace(dog))]
    .filter((group) => group.length > 0)
    .map((group) => verdictOf(group, own, everyone));
  const places = Array.from(people.values(), (user) => {
    const is = closer.has(user.user_id) ? 'is now' : 'is';
    // Of several, where they are: when would be too much to remember.
    const { closest_in_seconds: _, ...place } = user;
    return `${user.display_name || 'someone'} ${is} ${placeWords(place, units)}`;
  });
  const sentences = [
    ...verdicts.map(({ names, verdict }) => `${names} ${verdict}`),
    ...verdicts.flatMap(({ notes }) => (notes === '' ? [] : [notes])),
    capitalized(listed(places)),
  ];
  return `${sentences.join('. ')}. ${verdicts[0]?.advice ?? ''}`;
}
